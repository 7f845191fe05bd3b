package library

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"atelier/humantext"
	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// places are where in a picture a face is, for a picture that the page cannot show.
var places = []ui.Option{
	{Value: "", Text: mark("There is only one")},
	{Value: "0.17,0.17", Text: mark("Top left")}, {Value: "0.5,0.17", Text: mark("Top middle")}, {Value: "0.83,0.17", Text: mark("Top right")},
	{Value: "0.17,0.5", Text: mark("Middle left")}, {Value: "0.5,0.5", Text: mark("Middle")}, {Value: "0.83,0.5", Text: mark("Middle right")},
	{Value: "0.17,0.83", Text: mark("Bottom left")}, {Value: "0.5,0.83", Text: mark("Bottom middle")}, {Value: "0.83,0.83", Text: mark("Bottom right")},
}

// faceFields are how many fields a side a picture has in which a face can be pointed at.
const faceFields = 8

// facePoints are the middles of the fields, row by row.
func facePoints(ctx context.Context) []ui.Option {
	var out []ui.Option
	middle := func(i int) string { return strconv.FormatFloat((float64(i)+0.5)/faceFields, 'f', -1, 64) }
	for row := range faceFields {
		for column := range faceFields {
			out = append(out, ui.Option{
				Value: middle(column) + "," + middle(row),
				Text:  t(ctx, "Row %d, column %d", row+1, column+1),
			})
		}
	}
	return out
}

// placeIn is where in a picture the face is, in parts of its width and height; nil when no one said.
func placeIn(r *http.Request) (x, y *float64, err error) {
	at := frame.Text(r, "place")
	if at == "" {
		return nil, nil, nil
	}
	left, top, _ := strings.Cut(at, ",")
	xs, err := strconv.ParseFloat(left, 64)
	if err == nil {
		var ys float64
		if ys, err = strconv.ParseFloat(top, 64); err == nil {
			return &xs, &ys, nil
		}
	}
	return nil, nil, frame.Invalid("place", t(r.Context(), "Choose where the face is."))
}

// keepBrought has the next try begin with the file that was sent already.
func keepBrought(r *http.Request, address string) {
	if address != "" {
		r.PostForm.Set("url", address)
	}
}

// brought is where the page shows the picture that a form was refused with; empty where there is none.
func (c Pages) brought(f frame.Form) string {
	if f.Err == nil {
		return ""
	}
	address, _, _ := strings.Cut(humantext.LineBreaks(strings.TrimSpace(f.Values.Get("url"))), "\n")
	return c.ShownMedia(&address)
}

// chosenFace keeps a face out of a picture that shows several: the element first, then the square around that face. What
// has no picture in the end is not kept.
func (c Pages) chosenFace(r *http.Request, in query.CreateElementInput, x, y *float64) (id, name string, err error) {
	picture := query.AddElementImageInput{Url: in.ImageUrls[0], X: x, Y: y}
	in.ImageUrls = nil
	res, err := query.CreateElement(r.Context(), c.Client, in)
	if err != nil {
		return "", "", err
	}
	made := res.CreateElement
	if _, err = query.AddElementImage(r.Context(), c.Client, made.Id, picture); err != nil {
		if _, failed := query.DeleteElement(r.Context(), c.Client, made.Id, nil); failed != nil {
			c.Config.Log.WarnContext(r.Context(), "a face without a picture stays", "element", made.Id, "error", failed)
		}
	}
	return made.Id, made.Name, err
}

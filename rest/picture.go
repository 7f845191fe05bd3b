package rest

import (
	"net/http"

	"atelier/models/account"

	"github.com/gorilla/mux"
)

// PictureCaching is how long a browser keeps a person's picture: its address
// changes with it. No one else keeps it.
const PictureCaching = "private, max-age=86400, immutable"

// PictureHandler serves GET /pictures/{file} to those who are signed in.
func PictureHandler(accounts *account.Service) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		picture, err := accounts.FindPicture(r.Context(), mux.Vars(r)["file"])
		if err != nil {
			WriteProblem(w, r, err)
			return
		}
		header := w.Header()
		header.Set("Content-Type", "image/jpeg")
		header.Set("Cache-Control", PictureCaching)
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		_, _ = w.Write(picture.Content)
	})
}

//go:build !race

package tests

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"atelier/web"
)

// attack is something that hurt this service or one like it. try sends it once, as an
// account that may do nothing special, and ends by itself or with the siege; whatever
// it is answered is all right. Add one for each finding.
type attack struct {
	name string
	try  func(s *siege, who client)
}

var attacks = []attack{
	{"pictures with a text of megabytes, by address", fatPictures},
	{"bodies of a million small values", valueBombs},
	{"pictures of one line", thinPictures},
	{"one text for seven hundred edges", textForManyEdges},
	{"large pictures whose client leaves", leavingPictures},
	{"free runs without end", freeRuns},
	{"uploads that drip", drippingUploads},
	{"bodies that are announced and do not come", announcedBodies},
	{"gzip that grows a thousandfold", gzipBombs},
	{"pages of large workflows", largePages},
	{"documents at the bound of their cost", costlyDocuments},
	{"edges times parameters", edgesTimesParameters},
	{"texts at the bound of what feeds a node", textsAtTheBound},
	{"films of one animation", manyFilms},
	{"workbooks that grow", workbookBombs},
}

// send sends one request and reads what comes back; 0 when nothing does.
func (s *siege) send(patient *http.Client, who client, method, path string, body any, header ...string) (status int, answer []byte) {
	var payload []byte
	switch b := body.(type) {
	case nil:
	case []byte:
		payload = b
	default:
		payload, _ = json.Marshal(b)
	}
	request, err := http.NewRequest(method, who.URL+path, bytes.NewReader(payload))
	if err != nil {
		return 0, []byte(err.Error())
	}
	if payload != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if who.token != "" {
		request.Header.Set("Authorization", "Bearer "+who.token)
	}
	if who.workspace != "" {
		request.Header.Set("X-Service-Workspace", who.workspace)
	}
	for name, value := range who.header {
		request.Header.Set(name, value)
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := patient.Do(request)
	if err != nil {
		return 0, []byte(err.Error())
	}
	defer response.Body.Close()
	return response.StatusCode, readAll(response.Body)
}

// attacker waits half a minute for an answer and keeps no connection.
var attacker = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}

func (s *siege) hit(who client, method, path string, body any, header ...string) []byte {
	_, answer := s.send(attacker, who, method, path, body, header...)
	return answer
}

// hitAtOnce sends the same n times at once.
func hitAtOnce(n int, try func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { try(i) })
	}
	all.Wait()
}

func replaceWorkflow(path, id string) string { return strings.ReplaceAll(path, "WORKFLOW", id) }

// member reads a member of an answer in its data.
func member(answer []byte, name string) string {
	var body struct{ Data map[string]any }
	_ = json.Unmarshal(answer, &body)
	text, _ := body.Data[name].(string)
	return text
}

// uploaded is the address of a file, "" when it was refused.
func (s *siege) uploaded(who client, content []byte) string {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, _ := form.CreateFormFile("file", "a.png")
	_, _ = part.Write(content)
	_ = form.Close()
	return member(s.hit(who, "POST", "/v1/upload", body.Bytes(), "Content-Type", form.FormDataContentType()), "url")
}

// chunk is a part of a PNG.
func chunk(kind string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out = append(append(out, kind...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

var (
	fatPicture = sync.OnceValue(func() []byte {
		var small bytes.Buffer
		_ = png.Encode(&small, image.NewGray(image.Rect(0, 0, 64, 64)))
		const head = 8 + 12 + 13
		text := chunk("tEXt", append([]byte("Comment\x00"), bytes.Repeat([]byte("x"), fatTextBytes)...))
		return append(append(append([]byte{}, small.Bytes()[:head]...), text...), small.Bytes()[head:]...)
	})
	thinPicture = sync.OnceValue(func() []byte {
		head := binary.BigEndian.AppendUint32(nil, 60_000_000)
		head = append(binary.BigEndian.AppendUint32(head, 1), 1, 0, 0, 0, 0)
		var line bytes.Buffer
		z := zlib.NewWriter(&line)
		_, _ = z.Write(make([]byte, 1+60_000_000/8))
		_ = z.Close()
		return append(append(append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", head)...), chunk("IDAT", line.Bytes())...), chunk("IEND", nil)...)
	})
	largePicture = sync.OnceValue(func() []byte {
		var large bytes.Buffer
		_ = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&large, image.NewGray16(image.Rect(0, 0, 8192, 8192)))
		return large.Bytes()
	})
)

func fatPictures(s *siege, who client) {
	address := s.uploaded(who, fatPicture())
	face := member(s.hit(who, "POST", "/v1/faces", object{"name": "F", "consent": object{"subject": "self", "confirmed": true}}), "id")
	hitAtOnce(12, func(int) {
		s.hit(who, "POST", "/v1/faces/"+face+"/images", object{"url": address, "keepUpload": true})
	})
}

func valueBombs(s *siege, who client) {
	bomb := func(field string) []byte {
		return []byte(`{"name":"x","nodes":[],"edges":[],"` + field + `":[` + strings.Repeat("{},", 1_700_000) + `{}]}`)
	}
	nested := []byte(`{"name":"x","edges":[],"nodes":[{"id":"a","type":"text","data":{"x":[` + strings.Repeat("[],", 1_600_000) + `[]]}}]}`)
	hitAtOnce(6, func(i int) {
		switch i % 3 {
		case 0:
			s.hit(who, "POST", "/v1/workflows", bomb("nodes"))
		case 1:
			s.hit(who, "POST", "/v1/workflows", nested)
		default:
			s.hit(who, "POST", "/v1/pipelines/"+nowhere+"/run", bomb("shots"))
		}
	})
}

func thinPictures(s *siege, who client) {
	address := s.uploaded(who, thinPicture())
	hitAtOnce(2, func(int) {
		s.hit(who, "POST", "/v1/compose-image", object{"imageUrl": address, "overlayUrl": address})
	})
}

// fedOften is a new workflow in which a text feeds a node 700 times, "" when it was refused.
func (s *siege) fedOften(who client, size int) string {
	edges := make([]object, 700)
	for i := range edges {
		edges[i] = object{"id": fmt.Sprintf("e%d", i), "source": "a", "target": "b", "targetHandle": "texts"}
	}
	return member(s.hit(who, "POST", "/v1/workflows", object{"name": "Many", "edges": edges, "nodes": []object{
		{"id": "a", "type": "text", "data": object{"text": strings.Repeat("x", size)}}, {"id": "b", "type": "combine-text", "data": object{}},
	}}), "id")
}

func textForManyEdges(s *siege, who client) {
	id := s.fedOften(who, 900_000)
	s.hit(who, "POST", "/v1/workflows/"+id+"/run", object{})
	s.hit(who, "DELETE", "/v1/workflows/"+id, nil)
}

func leavingPictures(s *siege, who client) {
	face := member(s.hit(who, "POST", "/v1/faces", object{"name": "F", "consent": object{"subject": "self", "confirmed": true}}), "id")
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, _ := form.CreateFormFile("file", "a.png")
	_, _ = part.Write(largePicture())
	_ = form.Close()
	leaving := &http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	hitAtOnce(20, func(int) {
		s.send(leaving, who, "POST", "/v1/faces/"+face+"/images", body.Bytes(), "Content-Type", form.FormDataContentType())
	})
}

func freeRuns(s *siege, who client) {
	id := member(s.hit(who, "POST", "/v1/workflows", threeSteps), "id")
	hitAtOnce(4, func(int) {
		for range 20 {
			s.hit(who, "POST", "/v1/workflows/"+id+"/run", object{})
		}
	})
	s.hit(who, "DELETE", "/v1/workflows/"+id, nil)
}

// dial opens a connection that ends with the siege, or after a while.
func (s *siege) dial(long time.Duration, speak func(ctx context.Context, to net.Conn)) {
	to, err := net.DialTimeout("tcp", strings.TrimPrefix(s.p.URL, "http://"), 5*time.Second)
	if err != nil {
		return
	}
	defer to.Close()
	ctx, cancel := context.WithTimeout(s.ended, long)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = to.SetDeadline(time.Now()) })
	defer stop()
	speak(ctx, to)
}

func drippingUploads(s *siege, who client) {
	hitAtOnce(20, func(int) {
		s.dial(8*time.Second, func(ctx context.Context, to net.Conn) {
			fmt.Fprintf(to, "POST /v1/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n", who.token)
			part := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n" + strings.Repeat("x", 8<<20)
			fmt.Fprintf(to, "%x\r\n%s\r\n", len(part), part)
			for ctx.Err() == nil {
				pause(ctx, 2*time.Second)
				if _, err := io.WriteString(to, "64\r\n"+strings.Repeat("x", 100)+"\r\n"); err != nil {
					return
				}
			}
		})
	})
}

func announcedBodies(s *siege, who client) {
	hitAtOnce(26, func(int) {
		s.dial(8*time.Second, func(ctx context.Context, to net.Conn) {
			fmt.Fprintf(to, "POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 5000000\r\n\r\n{", who.token)
			_, _ = to.Read(make([]byte, 1))
		})
	})
}

// grown is a body of 200 kB that becomes 200 MiB.
var grown = sync.OnceValue(func() []byte {
	var small bytes.Buffer
	z := gzip.NewWriter(&small)
	_, _ = io.WriteString(z, `{"name":"`)
	_, _ = z.Write(bytes.Repeat([]byte("x"), 200<<20))
	_ = z.Close()
	return small.Bytes()
})

func gzipBombs(s *siege, who client) {
	hitAtOnce(8, func(i int) {
		s.hit(who, "POST", []string{"/v1/projects", "/graphql", "/v1/workflows", "/auth/sign-in"}[i%4], grown(), "Content-Encoding", "gzip")
	})
}

func largePages(s *siege, who client) {
	text := strings.Repeat("x", 900_000)
	var ids []string
	for range 8 {
		ids = append(ids, member(s.hit(who, "POST", "/v1/workflows", object{"name": "Large", "edges": []object{}, "nodes": []object{{"id": "a", "type": "text", "data": object{"text": text}}}}), "id"))
	}
	hitAtOnce(8, func(i int) {
		s.hit(who, "GET", []string{"/v1/workflows?limit=200", "/v1/jobs?limit=200"}[i%2], nil)
	})
	for _, id := range ids {
		s.hit(who, "DELETE", "/v1/workflows/"+id, nil)
	}
}

func costlyDocuments(s *siege, who client) {
	var document strings.Builder
	for i := range 40 {
		fmt.Fprintf(&document, "a%d:nodeTypes{type label inputs models{id}} b%[1]d:workflows(first:20){nodes{id name nodes{id data}}} ", i)
	}
	body := object{"query": "{" + document.String() + "}"}
	hitAtOnce(10, func(int) { s.hit(who, "POST", "/graphql", body) })
}

func edgesTimesParameters(s *siege, who client) {
	parameters, edges := make([]object, 20_000), make([]object, 5_000)
	for i := range parameters {
		parameters[i] = object{"name": fmt.Sprintf("p%d", i), "type": "text"}
	}
	for i := range edges {
		edges[i] = object{"id": fmt.Sprint("e", i), "source": "a", "target": "b", "targetHandle": fmt.Sprintf("p%d", i)}
	}
	graph := object{"name": "Wide", "edges": edges, "nodes": []object{
		{"id": "a", "type": "text", "data": object{"text": "x"}}, {"id": "b", "type": "webhook-output", "data": object{"parameters": parameters}},
	}}
	leaving := &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	hitAtOnce(4, func(int) { s.send(leaving, who, "POST", "/v1/workflows", graph) })
}

// textsAtTheBound feeds 14 MB to a node, which no bound refuses.
func textsAtTheBound(s *siege, who client) {
	id := s.fedOften(who, 20_000)
	hitAtOnce(20, func(int) { s.hit(who, "POST", "/v1/workflows/"+id+"/run", object{}) })
	s.hit(who, "DELETE", "/v1/workflows/"+id, nil)
}

// manyFilms runs a workflow in which the slots of an animation change alone.
func manyFilms(s *siege, who client) {
	plan := animation()
	plan["animation"].(object)["op"] = 400
	id := member(s.hit(who, "POST", "/v1/workflows", object{"name": "Films", "edges": []object{}, "nodes": []object{
		{"id": "m", "type": "motion", "data": object{"motionPlan": plan, "format": "mp4"}},
	}}), "id")
	hitAtOnce(10, func(i int) {
		color := object{"ink": fmt.Sprintf("#0000%02x", i)}
		s.hit(who, "POST", "/v1/workflows/"+id+"/run", object{"overrides": object{"m": object{"motionPlan": object{"slotValues": color}}}})
	})
}

// grownWorkbook is a workbook of 200 kB whose sheet has 200 MiB.
var grownWorkbook = sync.OnceValue(func() []byte {
	var small bytes.Buffer
	z := zip.NewWriter(&small)
	for name, content := range map[string][]byte{
		"[Content_Types].xml":        []byte(`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`),
		"xl/workbook.xml":            []byte(`<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`),
		"xl/_rels/workbook.xml.rels": []byte(`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`),
		"xl/worksheets/sheet1.xml":   bytes.Repeat([]byte("<c>"), 200<<20/3),
	} {
		part, _ := z.Create(name)
		_, _ = part.Write(content)
	}
	_ = z.Close()
	return small.Bytes()
})

func workbookBombs(s *siege, who client) {
	org, owned := s.orgs[who.token]
	if !owned {
		return
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, _ := form.CreateFormFile("file", "list.xlsx")
	_, _ = part.Write(grownWorkbook())
	_ = form.Close()
	cookie := web.SessionCookie(false) + "=" + who.token
	who.token = ""
	hitAtOnce(6, func(int) {
		s.hit(who, "POST", "/orgs/"+org+"/invite/preview", body.Bytes(), "Content-Type", form.FormDataContentType(), "Cookie", cookie, "Origin", who.URL)
	})
}

package rest

import (
	"net/http"

	"atelier/models/install"

	"github.com/gorilla/mux"
)

// LogoHandler serves GET /install/logo/{file}, which is public: its address changes with it.
func LogoHandler(settings *install.Service) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		logo, err := settings.FindLogo(r.Context(), mux.Vars(r)["file"])
		if err != nil {
			WriteProblem(w, r, err)
			return
		}
		header := w.Header()
		header.Set("Content-Type", "image/png")
		header.Set("Cache-Control", "public, max-age=86400, immutable")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		_, _ = w.Write(logo)
	})
}

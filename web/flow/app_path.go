package flow

import (
	"net/http"

	"github.com/gorilla/mux"
)

func pathSlug(r *http.Request) string { return mux.Vars(r)["slug"] }

// SlugForm is an app's short name in an address.
const SlugForm = ":[a-z0-9-]+"

package flow

import (
	"net/http"

	"github.com/gorilla/mux"
)

func pathSlug(r *http.Request) string { return mux.Vars(r)["slug"] }

// slugForm is an app's short name in an address.
const slugForm = ":[a-z0-9-]+"

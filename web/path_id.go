package web

import (
	"net/http"

	"github.com/gorilla/mux"
)

// path is the {id} of an address.
func pathID(r *http.Request) string { return mux.Vars(r)["id"] }

func pathUser(r *http.Request) string { return mux.Vars(r)["user"] }

// id is a path variable that holds a UUID, for instance "/orgs/{id" + id + "}".
const id = ":[0-9a-fA-F-]{36}"

package frame

import (
	"net/http"

	"github.com/gorilla/mux"
)

// path is the {id} of an address.
func PathID(r *http.Request) string { return mux.Vars(r)["id"] }

// PathUser is the {user} of an address.
func PathUser(r *http.Request) string { return mux.Vars(r)["user"] }

// ID is a path variable that holds a UUID, for instance "/orgs/{id" + id + "}".
const ID = ":[0-9a-fA-F-]{36}"

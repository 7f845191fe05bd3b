package frame

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/gorilla/mux"
)

// The space that a page works in is said by its address, so that two tabs may differ and a link can be shared:
//
//   - /workspaces/{id}/workflows lists the workflows of a workspace, /workflows those of the personal space;
//   - an object has an address of its own, and stands in the space that it belongs to;
//   - where the space is chosen beside the object (who pays for the run of an app), the address carries ?in={id}.

// personalSpace is the value of "in" that names the personal space.
const personalSpace = "personal"

// Spaces are what the addresses of lists begin with: nothing in the personal space, else the workspace.
var Spaces = []string{"", "/workspaces/{space" + ID + "}"}

// Space is what an address says of where to work.
type Space struct {
	// Workspace is an id as it came, empty for the personal space.
	Workspace string
	// Only is set where the page is about nothing but that workspace, so that it is refused to those who cannot work
	// there; other pages of a workspace say themselves what may be seen.
	Only bool
}

// SpaceOf is where the address of a page says to work.
func SpaceOf(r *http.Request) Space {
	vars := mux.Vars(r)
	if id := vars["space"]; id != "" {
		return Space{id, true}
	}
	if in := r.URL.Query().Get("in"); in != "" && in != personalSpace {
		return Space{in, true}
	}
	if strings.HasPrefix(r.URL.Path, "/workspaces/") {
		return Space{vars["id"], false}
	}
	return Space{}
}

// ChosePersonal tells whether the address asks for the personal space, and not only names no other.
func ChosePersonal(r *http.Request) bool { return r.URL.Query().Get("in") == personalSpace }

// SpacePath is the address of a list in a workspace, or in the personal space when workspace is empty.
func SpacePath(workspace, list string) string {
	if workspace == "" {
		return list
	}
	return "/workspaces/" + workspace + list
}

type spaceKey struct{}

// inSpace says in which space a page stands, for the links on it.
func inSpace(ctx context.Context, workspace string) context.Context {
	return context.WithValue(ctx, spaceKey{}, workspace)
}

// Here is the address of a list in the space of the page that is rendered.
func Here(ctx context.Context, list string) string {
	workspace, _ := ctx.Value(spaceKey{}).(string)
	return SpacePath(workspace, list)
}

// In is an address of an object that works in the space of the page that is rendered.
func In(ctx context.Context, path string) string {
	workspace, _ := ctx.Value(spaceKey{}).(string)
	return Within(path, workspace)
}

// Within is the address of an object with the workspace to work in, or the personal space when workspace is empty.
func Within(path, workspace string) string {
	if workspace == "" {
		workspace = personalSpace
	}
	address, err := url.Parse(path)
	if err != nil {
		return path
	}
	q := address.Query()
	q.Set("in", workspace)
	address.RawQuery = q.Encode()
	return address.String()
}

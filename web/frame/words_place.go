package frame

import (
	"context"
	"net/http"
	"strings"
	"sync"

	"atelier/web/query"

	"github.com/gorilla/mux"
)

// addressed is what the address of a request is about, and its words once a refusal has asked for them.
type addressed struct {
	org, workspace string
	once           sync.Once
	words          placeWords
}

type addressedKey struct{}

// atAddress notes what the address of a request is about, for the words of what is refused.
func atAddress(r *http.Request) *http.Request {
	at := &addressed{workspace: SpaceOf(r).Workspace}
	if strings.HasPrefix(r.URL.Path, "/orgs/") {
		at.org = mux.Vars(r)["id"]
	}
	return r.WithContext(context.WithValue(r.Context(), addressedKey{}, at))
}

// wordsOf are the words of the place that the address of a request names; without one those of the person's only
// organization, and plain ones where there are several.
func (c client) wordsOf(ctx context.Context) placeWords {
	at, _ := ctx.Value(addressedKey{}).(*addressed)
	if at == nil {
		return placeWords{Words: PlainWords}
	}
	at.once.Do(func() {
		at.words = placeWords{Words: PlainWords} // also for refusals of what is asked here
		at.words = c.lookUp(ctx, at.org, at.workspace)
	})
	return at.words
}

func (c client) lookUp(ctx context.Context, org, workspace string) placeWords {
	ctx = context.WithValue(ctx, addressedKey{}, (*addressed)(nil))
	ctx = context.WithValue(ctx, onceKey{}, "")
	if workspace != "" {
		if res, err := query.WorkspacePlace(ctx, c, workspace); err == nil {
			w := res.Workspace
			return placeWords{Words: w.Organization.Vocabulary, Org: w.Organization.Name, Workspace: w.Name}
		}
	}
	if org != "" {
		if res, err := query.OrganizationPlace(ctx, c, org); err == nil {
			return placeWords{Words: res.Organization.Vocabulary, Org: res.Organization.Name}
		}
	}
	res, err := query.Frame(ctx, c)
	if err != nil || res.Shell.Me.Memberships == nil || len(res.Shell.Me.Memberships.Organizations) == 0 {
		return placeWords{Words: PlainWords}
	}
	all := res.Shell.Me.Memberships.Organizations
	words := placeWords{Words: all[0].Vocabulary}
	if len(all) == 1 {
		words.Org = all[0].Name
	}
	for _, o := range all {
		if o.Vocabulary != all[0].Vocabulary {
			return placeWords{Words: PlainWords}
		}
	}
	return words
}

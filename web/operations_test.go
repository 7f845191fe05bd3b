//go:build !race

package web

import (
	"regexp"
	"slices"
	"testing"
)

// moreOperations are the pages that ask more than once, with what they ask for.
var moreOperations = []struct {
	path *regexp.Regexp
	ask  []string
}{
	// What only some may see is refused to others as a whole, so that it is asked for once their rights are known.
	{regexp.MustCompile(`^/orgs/[0-9a-f-]{36}$`), []string{"Overview", "OverviewMoney"}},
	{regexp.MustCompile(`^/orgs/[0-9a-f-]{36}/danger$`), []string{"OrganizationPage", "DangerOwner"}},
	{regexp.MustCompile(`^/workspaces/[0-9a-f-]{36}$`), []string{"WorkspaceHome", "WorkspaceCare"}},
	{regexp.MustCompile(`^/workspaces/[0-9a-f-]{36}/members$`), []string{"WorkspaceMembers", "WorkspaceAdmins"}},
	{regexp.MustCompile(`^/workflows/[0-9a-f-]{36}/sharing$`), []string{"Sharing", "SharingCandidates"}},
	// Visitors may see the page, and are refused what is theirs once they have signed in.
	{regexp.MustCompile(`^/invitations/`), []string{"InvitationByToken", "Frame"}},
	{regexp.MustCompile(`^/app/[0-9a-f-]{36}$`), []string{"App", "AppOwn"}},
	{regexp.MustCompile(`^/embed/`), []string{"AppEmbedding", "Frame"}},
	// What it costs follows from the settings, which an earlier job may hold.
	{regexp.MustCompile(`/make/[0-9a-f-]{36}$`), []string{"MakePage", "MakeEstimate"}},
	// What can be chosen belongs to the space of a production, which an address without it does not name.
	{regexp.MustCompile(`^/studio/[0-9a-f-]{36}(/|$)`), []string{"ProductionPage", "StudioSpace"}},
	// A saved graph is sent to be checked.
	{regexp.MustCompile(`/nodes(/edit)?$`), []string{"NodesPage", "CheckWorkflow"}},
}

func TestAPageAsksInOneOperation(t *testing.T) {
	f := newFake(t).school().with("App.allowedEmbedDomains", []any{"https://a.example"})
	asked := map[int]bool{}
	for _, path := range append(pages(t), "/embed/poster") {
		f.calls = nil
		w := get(f, path)
		var ask []string
		for _, c := range f.calls {
			ask = append(ask, c.Operation)
		}
		want := []string(nil)
		for i, more := range moreOperations {
			if more.path.MatchString(path) {
				want, asked[i] = more.ask, true
			}
		}
		if want == nil && len(ask) > 1 || want != nil && !slices.Equal(ask, want) {
			t.Errorf("GET %s: %d, asked %v", path, w.Code, ask)
		}
	}
	if len(asked) != len(moreOperations) {
		t.Errorf("pages are named that are not there: %v", asked)
	}
}

// Package web is the console: pages rendered on the server, a client of the GraphQL schema like any other.
//
// It imports the generated calls (query), the components (ui) and the embedded files (assets), and nothing else of
// the project. What the schema cannot do, the console cannot do.
//
// Pages stand in areas: account, org, operator, flow, library, studio, community, event and developer, which never import
// each other; web.go names them. What they share is in frame, and in nodeform what shows nodes. Each area lists its routes
// in routes.go, and has a type Pages, whose methods are its actions, with frame.Console inside.
//
// # How a page is made
//
// A page is three files of one name; organizations.graphql, organizations.go and organizations.templ in org are the
// example.
//
//   - organizations.graphql holds its operations. A query of a page for signed-in people spreads "...Shell", so that the
//     navigation and the switcher come with the page's own data, in one operation. Run "scripts/generate" after
//     a change; calls appear in package query.
//   - organizations.go holds its actions, which routes.go names. An action parses, calls one query or
//     mutation, and renders or redirects. It returns errors instead of writing them: a *frame.Error becomes an error
//     page, "unauthorized" leads to the sign-in page and back.
//   - organizations.templ holds the content, a component for each page, without the shell. Run
//     "scripts/generate".
//
// Console.Page renders content in the shell; Page.Org and Page.Workspace say what it is about, Page.Section which
// entry of the navigation is lit (frame/navigation.go). Console.Bare renders content without navigation.
//
// # Forms
//
// Every action is a plain form that is POSTed. It ends with Console.Done (303 to a page that says what happened,
// once, from a short-lived cookie). When it is refused it ends with frame.Again(w, r, err, page): the page of the form is
// shown once more under the refusal's status, and finds what was typed and what was wrong in frame.FormOf(r). Its content
// starts with ui.ErrorSummary(frame.SummaryTitle(f, "…"), f.Summary("name", …)) and sets Field.Value and Field.Error from f.
//
// # Words
//
// Words (Place.Words, or the vocabulary that the page asked for) are the organization's own for workspace, member
// and admin. No sentence on a page of an organization says "workspace" by itself.
//
// # The workflow editor
//
// flow/editor.go and flow/editor.templ are the page, web/editor the script: plain modules, bundled with the graph library of
// package.json by scripts/generate into assets/js/editor.min.js, which is committed. Its sentences come with the page, in the
// reader's language, and it knows them by name (flow/editor_words.go). The script draws and edits; what
// it checks, saves, runs and uploads goes through actions of the console that answer in JSON (Pages.Answering), and
// what a run made comes as a part of a page. Without script the list of nodes does the same by plain
// forms (flow/workflow_nodes.go), each one small change of the graph that is saved at once. Positions on the canvas are styles set by script, which the policy allows; style attributes it does not.
//
// # Models in 3D
//
// web/viewer is bundled with three.js into assets/js/viewer.min.js, which app.js fetches when a person turns a model
// (modelView in flow/output.templ). It looks a model through before it draws it, reads textures out of its bytes, so that
// no address that the policy refuses is needed, and draws only when something changed.
//
// # Staying current
//
// Console.Live streams a part of a page at every event of a subscription; frame.Refreshing reloads the page where there
// is no script.
package web

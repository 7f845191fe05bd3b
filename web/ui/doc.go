// Package ui holds the components of the console. It knows nothing of the rest of the project: every component
// takes plain strings, numbers and times, so that a page can be drawn from whatever its query returned.
//
// # How a page is put together
//
// A handler puts the nonce of its response into the context with templ.WithNonce (components read it from there),
// fills a Shell once for the whole console, and renders one templ component per page:
//
//	templ peoplePage(s ui.Shell, v peopleView) {
//		@ui.Page(s) {
//			@ui.PageHead(ui.HeadProps{Crumbs: []ui.Crumb{{Text: v.Org}}, Title: "People"}) {
//				@ui.Button(ui.ButtonProps{Text: "Invite people", Kind: ui.Primary, Href: "/invite"})
//			}
//			@ui.Sheet(ui.SheetProps{Flush: true}) {
//				@ui.Tools(ui.ToolsProps{Action: "/people", Search: "q", SearchLabel: "Search name or address", Query: v.Query})
//				@ui.Table(ui.TableProps{Caption: "People", Columns: []ui.Column{{Text: "Name"}, {Text: "Role"}, {Text: "Joined"}}}) {
//					for _, m := range v.Members {
//						@ui.Row(m.Href) {
//							@ui.RowHead() {
//								@ui.Who(m.Name, m.Email)
//							}
//							@ui.CellText("Role", m.Role)
//							@ui.Cell("Joined") {
//								@ui.DateTime(m.JoinedAt)
//							}
//						}
//					}
//				}
//			}
//			@ui.Pager(ui.PagerProps{Range: "1–50 of 388", NextHref: v.Next})
//		}
//	}
//
// # Rules
//
//   - One PageHead per page (it holds the h1), and at most one Primary button.
//   - No style attribute and no inline handler anywhere: the content security policy refuses both. What varies in
//     a drawing is an SVG attribute, everything else a class of web/assets/css.
//   - Every action is a plain form (Form, ActionForm) and every dialog has a page behind it (ConfirmDialog opens
//     on the page, ConfirmPage is the same question at the address of the link).
//   - htmx only enhances. Its attributes are written with Live(ctx, "get", "/people", "target", "#rows"), which adds
//     the nonce that hx-csp insists on. Nothing is inherited in htmx 4, and every answer but 204 and 304 is swapped in.
//   - The color of a state always comes with a word (Tag, Note). Numbers stand in tabular figures (CellNum, class "num").
//   - After a refused form render ErrorSummary first and set Field.Error: the script moves the focus there.
//
// The storybook shows every component in every state.
package ui

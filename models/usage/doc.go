// Package usage adds up what runs cost: reports by workspace, member, model
// and day for organizations and workspaces (contract 3, "Usage report rules").
package usage

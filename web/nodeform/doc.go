// Package nodeform shows the settings of a node as a form and reads them again: which control a field gets
// (control_inference.go), what it shows, and what was typed.
package nodeform

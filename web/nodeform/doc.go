// Package nodeform shows nodes on pages. The settings of one are a form, which is read again: which control a field gets
// (control_inference.go), what it shows, and what was typed. A graph of them is a picture and a list.
package nodeform

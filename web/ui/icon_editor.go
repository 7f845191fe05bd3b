package ui

// Drawings of the workflow editor.
func init() {
	icons["menu"] = "M2.500 4.500h11M2.500 8h11M2.500 11.500h11"
	icons["paste"] = "M5.500 3.500h-2v10h9v-10h-2M5.500 2.500h5v2.500h-5zM6 8.500h4M6 11h4"
	icons["duplicate"] = "M6 6h7.500v7.500H6zM3.500 10.500h-1v-8h8v1M9.800 8v3.500M8 9.800h3.500"
	icons["panel-left"] = "M2.500 3h11v10h-11zM6.500 3v10"
	icons["panel-right"] = "M2.500 3h11v10h-11zM9.500 3v10"
	icons["keys"] = "M1.800 4.500h12.400v7H1.800zM4.300 7h.01M6.800 7h.01M9.300 7h.01M11.800 7h.01M5.500 9.500h5"
	icons["up"] = "M4.500 9.500L8 6l3.500 3.500"
	icons["grip"] = "M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01"
}

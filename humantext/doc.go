// Package humantext reads what people type, paste and choose as files: the bytes of a text whose encoding nobody
// named, tables of spreadsheets, addresses and codes as they come out of a mail, a chat or a document, and names
// with characters in them that nobody sees. It knows nothing of the house, so that every face, use case and node
// reads with it alike.
package humantext

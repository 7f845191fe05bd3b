// Package humantext reads what people type, paste and choose as files: the bytes of a text whose encoding is not
// named, tables of spreadsheets, addresses and codes as they come out of a mail, a chat or a document, and names
// with invisible characters in them. It knows nothing of the house, so that every face, use case and node
// reads with it alike.
package humantext

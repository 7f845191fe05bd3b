// Package developer is the pages for those who write programs that use the service: how to begin, what can be called,
// what is sent, and how apps act for people. They need no sign-in.
package developer

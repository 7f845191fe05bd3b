// Package mcp is the face for agents: the tools of the Model Context Protocol at /mcp.
// A tool asks operations of the schema, as the console does, so that it follows the
// rules of /v1 and has none of its own.
package mcp

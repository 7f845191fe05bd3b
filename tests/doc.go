// Package tests drives the whole program from outside, as people, their
// programs and their browsers do: most tests start the built program and speak
// HTTP with it, some build the server in this process, to count statements or
// to take its connections away. Files are named by what they are about:
//
//	harness_                        what the others stand on: the program, clients, people in every role
//	runs_, events_, workspaces_, …  what the contract says, by subject
//	browser_                        the console in browsers
//	security_, authorization_       what no one may do, and the bounds
//	bench_                          what make bench measures
package tests

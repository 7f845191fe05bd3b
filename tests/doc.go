// Package tests drives the whole program from outside, as people, their
// programs and their browsers do: most tests start the built program and speak
// HTTP with it, some build the server in this process, to count statements or
// to take its connections away. Files are named by what they are about:
//
//	program_, client_, story_, cast_, browser_   what the others stand on
//	runs_, events_, organizations_, apps_, ...   the contract, by subject
//	bench_                                       what make bench measures
package tests

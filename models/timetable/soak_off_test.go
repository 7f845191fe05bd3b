//go:build !soak

package timetable_test

// soak tells whether the long forms of the tests are wanted.
const soak = false

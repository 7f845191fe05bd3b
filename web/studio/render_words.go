package studio

import "strings"

// cutShot is the rest of the name of a field that is about a shot: "shots.<id>.locationId" is "locationId".
func cutShot(field, id string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(field, "shots."+id)
	return strings.TrimPrefix(rest, "."), ok
}

// anyShot is cutShot for a shot that no one has named yet.
func anyShot(field string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(field, "shots.")
	if !ok {
		return "", false
	}
	id, rest, _ := strings.Cut(rest, ".")
	return rest, isID(id)
}

// shorn is what is said of a field without the id that its name begins with.
func shorn(message, field, rest string) string {
	if said, ok := strings.CutPrefix(message, field); ok {
		return strings.TrimSpace(rest + said)
	}
	return message
}

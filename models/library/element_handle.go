package library

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/space"
)

// maxHandle and minHandle are the lengths of handles.
const (
	maxHandle = 30
	minHandle = 2
)

// madeHandle makes a handle out of a name, in whatever script it is: what has no
// letters or digits of ASCII is named by its kind.
func madeHandle(name string, kind Kind) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(name)) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r): // an accent of the letter before
		case unspelled[r] != "":
			b.WriteString(unspelled[r])
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	handle := strings.Trim(cut(b.String(), maxHandle), "_")
	if len(handle) < minHandle {
		return string(kind)
	}
	return handle
}

// unspelled are letters that do not come apart into one of ASCII and an accent.
var unspelled = map[rune]string{'ß': "ss", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'æ': "ae", 'œ': "oe", 'ı': "i"}

func cut(s string, most int) string { return s[:min(len(s), most)] }

// freeHandle is a handle with a number behind it where it is taken. Who makes
// elements in the space waits meanwhile; see takeRoom.
func freeHandle(tx *models.Tx, viewer *space.Viewer, wanted string) (string, error) {
	var taken []string
	err := inSpace(tx.Model(&Element{}), viewer).Where("starts_with(handle, ?)", cut(wanted, maxHandle-5)).Pluck("handle", &taken).Error
	if err != nil {
		return "", err
	}
	used := make(map[string]bool, len(taken))
	for _, handle := range taken {
		used[handle] = true
	}
	handle := wanted
	for n := 2; used[handle]; n++ {
		number := strconv.Itoa(n)
		handle = cut(wanted, maxHandle-len(number)) + number
	}
	return handle, nil
}

// inSpace narrows a query of elements to all of a space, the one who may see them.
func inSpace(q *gorm.DB, viewer *space.Viewer) *gorm.DB {
	if viewer.Workspace == nil {
		return q.Where("workspace_id IS NULL AND owner_id = ?", viewer.UserID)
	}
	return q.Where("workspace_id = ?", viewer.Workspace.ID)
}

// SeedOf is the seed that was sent, or one by chance.
func SeedOf(sent *int) (int, error) {
	if sent == nil {
		return int(rand.Int32()), nil
	}
	if *sent < 0 || *sent > maxSeed {
		return 0, models.Invalid("seed", "must be between 0 and %d", maxSeed)
	}
	return *sent, nil
}

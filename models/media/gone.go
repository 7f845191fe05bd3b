package media

import (
	"strings"

	"gorm.io/gorm"
)

// FilesGone are those of some addresses at which files of this install lay that are gone.
func (m *Store) FilesGone(q *gorm.DB, addresses []string) (map[string]bool, error) {
	keys := map[string]string{}
	for _, address := range addresses {
		if name, own := m.own(address); own {
			key, _, _ := strings.Cut(name, ".")
			keys[key] = address
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	gone := map[string]bool{}
	var asked, there []string
	for key, address := range keys {
		asked, gone[address] = append(asked, key), true
	}
	err := q.Model(&File{}).Where("key IN ? AND NOT private", asked).Pluck("key", &there).Error
	for _, key := range there {
		delete(gone, keys[key])
	}
	return gone, err
}

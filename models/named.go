package models

// Named is a row's name and the organization that the row belongs to, for rows
// of other areas that point at it.
type Named struct {
	ID             ID
	Name           string
	OrganizationID ID
}

// In is the name for readers of an organization: nil when the row is another
// organization's, or gone.
func (n *Named) In(organizationID ID) *string {
	if n == nil || n.OrganizationID != organizationID {
		return nil
	}
	return &n.Name
}

// NamedByID are the found rows by id; the wanted ones that were not found are nil.
func NamedByID(wanted []ID, found []*Named) map[ID]*Named {
	names := make(map[ID]*Named, len(wanted))
	for _, id := range wanted {
		names[id] = nil
	}
	for _, row := range found {
		names[row.ID] = row
	}
	return names
}

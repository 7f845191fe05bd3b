package kit

// Addresses are those of the private files that a job may open by these refs.
func (r *Refs) Addresses() []string {
	if r == nil {
		return nil
	}
	var all []string
	of := func(e *ElementRef) {
		for _, picture := range e.Pictures {
			all = append(all, picture.Address)
		}
	}
	for i := range r.Elements {
		of(&r.Elements[i])
	}
	if r.Face != nil {
		of(r.Face)
	}
	if r.Voice != nil {
		for _, address := range []string{r.Voice.Sample, r.Voice.Recording} {
			if address != "" {
				all = append(all, address)
			}
		}
	}
	return all
}

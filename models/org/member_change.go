package org

import "atelier/models"

// memberChange is what an update of a member asks for, in an organization or a
// workspace; "" leaves what is there.
type memberChange[R ~string] struct {
	role   R
	status MemberStatus
}

// readMemberChange checks an update: no one is made an owner by one.
func readMemberChange[R ~string](role models.Opt[R], status models.Opt[MemberStatus]) (c memberChange[R], err error) {
	var sent bool
	c.role, sent, err = models.Required("role", role)
	if err == nil && sent && c.role != R(Admin) && c.role != R(Member) {
		err = models.Invalid("role", "must be admin or member")
	}
	if err != nil {
		return c, err
	}
	c.status, sent, err = models.Required("status", status)
	if err == nil && sent && c.status != MemberActive && c.status != MemberSuspended {
		err = models.Invalid("status", "must be active or suspended")
	}
	return c, err
}

// onlyReinstates tells whether the update does nothing but lift a suspension,
// which a person who is no member any more may have too.
func (c memberChange[R]) onlyReinstates() bool { return c.role == "" && c.status == MemberActive }

package config

import "atelier/models"

var accountVariables = Group{"Edition and accounts", []Variable{
	{"EDITION", EditionHosted, "hosted or self_hosted (no credits, no organizations)",
		into(func(c *Config) *string { return &c.Edition }, oneOf(EditionHosted, EditionSelfHosted))},
	{"ORGANIZATIONS", "on", "on or off",
		into(func(c *Config) *bool { return &c.Organizations }, parseOnOff)},
	{"ORG_AUTO_APPROVE", "false", "true: new organizations start active",
		into(func(c *Config) *bool { return &c.OrgAutoApprove }, parseBool)},
	{"SIGN_UP", SignUpOpen, "open, invited (only with an open invitation) or closed",
		into(func(c *Config) *string { return &c.SignUp }, oneOf(SignUpOpen, SignUpInvited, SignUpClosed))},
	{"SIGNUP_CREDITS", "100", "credits that a new account starts with",
		into(func(c *Config) *models.Credits { return &c.SignupCredits }, parseCredits)},
	{"PLATFORM_OPERATOR_EMAILS", "", "comma-separated addresses of platform operators",
		into(func(c *Config) *[]string { return &c.OperatorEmails }, parseEmails)},
	{"PLATFORM_OWNER_EMAIL", "", "the same, counts only when PLATFORM_OPERATOR_EMAILS is empty",
		into(func(c *Config) *[]string { return &c.ownerEmails }, parseEmails)},
	{"OPERATOR_CODE", "", "12 characters or more, proves an operator's address on an install without mail; unset: made under DATA_DIR. Printed at each start until an operator exists",
		into(func(c *Config) *string { return &c.OperatorCode }, parseOperatorCode)},
	{"BILLING_ACCOUNT_EMAIL", "", "the one account that pays for everyone",
		into(func(c *Config) *string { return &c.BillingAccountEmail }, parseEmail)},
}}

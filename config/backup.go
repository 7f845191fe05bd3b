package config

var backupVariables = Group{"Backups", []Variable{
	{"BACKUP_PASSPHRASE", "", "encrypts what atelier backup writes and opens what atelier restore reads; serve does not need it",
		into(func(c *Config) *string { return &c.BackupPassphrase }, parsePassphrase)},
	{"BACKUP_STAMP", "", "a file that backups touch when they are done, as atelier backup does; operators see when that was; unset: not known",
		into(func(c *Config) *string { return &c.BackupStamp }, parsePath)},
}}

func parsePassphrase(s string) (string, error) { return s, checkSecretText(s, 1) }

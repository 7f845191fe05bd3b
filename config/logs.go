package config

var logVariables = Group{"Logs and figures", []Variable{
	{"LOG_FORMAT", "text", "text or json",
		into(func(c *Config) *string { return &c.LogFormat }, oneOf("text", "json"))},
	{"LOG_LEVEL", "info", "debug, info, warn or error",
		parseLogLevel},
	{"METRICS_ADDR", "", "address that serves /metrics; unset: none",
		into(func(c *Config) *string { return &c.MetricsAddr }, parseHostPort)},
	{"DEVELOPMENT", "false", "true shows what only developers need, such as /storybook, to everyone",
		into(func(c *Config) *bool { return &c.Development }, parseBool)},
}}

func parseLogLevel(c *Config, s string) error {
	if _, err := oneOf("debug", "info", "warn", "error")(s); err != nil {
		return err
	}
	return c.LogLevel.UnmarshalText([]byte(s))
}

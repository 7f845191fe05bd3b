package config

import (
	"errors"
	"fmt"
	"net/netip"
	"time"
)

var outboundVariables = Group{"Outbound requests", []Variable{
	{"EGRESS_ALLOW_CIDRS", "", "addresses that outbound requests may reach although they are not public",
		into(func(c *Config) *[]netip.Prefix { return &c.EgressAllow }, parsePrefixes)},
	{"DELIVERY_BACKOFF", "30s,2m,10m,1h,6h,12h,24h", "waits after failed attempts; N waits mean N+1 attempts",
		into(func(c *Config) *[]time.Duration { return &c.DeliveryBackoff }, parseDurations)},
	{"DELIVERY_REST", "1m,1h", "first and longest rest of an endpoint without any HTTP answer",
		into(func(c *Config) *[2]time.Duration { return &c.DeliveryRest }, parseRest)},
}}

func parseDurations(s string) ([]time.Duration, error) {
	list, err := eachOf(s, func(entry string) (time.Duration, error) {
		d, err := time.ParseDuration(entry)
		if err != nil || d < 0 {
			return 0, fmt.Errorf("%q is not a duration like 30s or 2m", entry)
		}
		return d, nil
	})
	if err == nil && len(list) == 0 {
		err = errors.New("must hold at least one duration")
	}
	return list, err
}

func parseRest(s string) (rest [2]time.Duration, err error) {
	list, err := parseDurations(s)
	switch {
	case err != nil:
		return rest, err
	case len(list) != 2:
		return rest, errors.New("must be two durations: the first and the longest rest")
	case list[0] <= 0 || list[1] < list[0]:
		return rest, errors.New("the first rest must be positive and not above the longest")
	}
	return [2]time.Duration(list), nil
}

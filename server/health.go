package server

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"atelier/graph/generated"
	"atelier/models/lane"
)

// health looks how the install is. It is asked by operators alone.
func (s *Server) health(ctx context.Context) (*generated.Health, error) {
	h := &generated.Health{Version: Version(), Mail: s.SMTPURL != nil, StoragePlace: s.storagePlace(), LastBackup: s.lastBackup()}
	began := time.Now()
	var taken int64
	err := s.DB.Read(ctx).Raw(`SELECT current_setting('server_version'), pg_database_size(current_database())`).Row().Scan(&h.DatabaseVersion, &taken)
	if err != nil {
		return nil, err
	}
	h.DatabaseSize, h.DatabaseMillis = size(taken), int(time.Since(began).Milliseconds())
	work, err := lane.FindState(ctx, s.DB)
	if err != nil {
		return nil, err
	}
	h.Workers, h.Waiting, h.OldestWaiting, h.AtWork = work.Workers, work.Waiting, work.OldestDue, work.AtWork
	kept, err := s.Spaces.KeptByAll(ctx)
	h.StorageSize = size(kept)
	return h, err
}

// size is a number of bytes in words.
func size(n int64) string {
	units := []string{"bytes", "kB", "MB", "GB", "TB"}
	value, unit := float64(n), 0
	for value >= 1000 && unit < len(units)-1 {
		value, unit = value/1000, unit+1
	}
	if value >= 10 || unit == 0 {
		return fmt.Sprintf("%.0f %s", value, units[unit])
	}
	return fmt.Sprintf("%.1f %s", value, units[unit])
}

// storagePlace says where files lie.
func (i *install) storagePlace() string {
	if i.StorageURL == "" {
		return "A folder of this machine"
	}
	return "A bucket"
}

// lastBackup is when the file that backups touch was last touched.
func (i *install) lastBackup() *time.Time {
	if i.BackupStamp == "" {
		return nil
	}
	stamp, err := os.Stat(i.BackupStamp)
	if err != nil {
		return nil
	}
	at := stamp.ModTime().UTC()
	return &at
}

// release is the name of a release, which scripts/release sets.
var release string

// Version is which program this is: a release, or a commit.
func Version() string {
	if release != "" {
		return release
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	version, commit := build.Main.Version, ""
	for _, setting := range build.Settings {
		if setting.Key == "vcs.revision" {
			commit = setting.Value[:min(12, len(setting.Value))]
		}
	}
	if version != "" && version != "(devel)" {
		return version
	}
	if commit != "" {
		return commit
	}
	return "development"
}

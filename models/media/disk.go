package media

import (
	"fmt"
	"syscall"
)

// Disk is what is left of one: bytes, and files of so many.
type Disk struct {
	Free             int64
	FreeFiles, Files uint64
}

// DiskOf looks at the disk that a folder, or a file, lies on.
func DiskOf(path string) (Disk, error) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(path, &fs); err != nil {
		return Disk{}, fmt.Errorf("%s: %w", path, err)
	}
	return Disk{Free: int64(fs.Bavail) * int64(fs.Bsize), FreeFiles: fs.Ffree, Files: fs.Files}, nil
}

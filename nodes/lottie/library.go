//go:build linux && (amd64 || arm64) && !nolottie

package lottie

import (
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Supported tells whether this build can draw at all.
const Supported = true

// rlottie is an animation in the library's hands. Its functions take and return
// whole numbers and addresses alone.
type rlottie struct {
	handle, render uintptr
	count          int
}

// open loads the library and has it read a document that ends in a zero.
func open(names []string, document []byte) (animation, error) {
	library, err := load(names)
	if err != nil {
		return nil, err
	}
	var functions [3]uintptr
	for i, name := range []string{"lottie_animation_from_data", "lottie_animation_get_totalframe", "lottie_animation_render"} {
		if functions[i], err = purego.Dlsym(library, name); err != nil {
			return nil, lastWords["missing"]
		}
	}
	runtime.LockOSThread()
	confine()
	nothing := []byte{0} // no key under which it is kept, no folder with its pictures
	handle, _, _ := purego.SyscallN(functions[0], address(document), address(nothing), address(nothing))
	runtime.KeepAlive(document)
	runtime.KeepAlive(nothing)
	if handle == 0 {
		return nil, ErrUnreadable
	}
	count, _, _ := purego.SyscallN(functions[1], handle)
	if int(count) < 1 {
		return nil, ErrUnreadable
	}
	return &rlottie{handle: handle, render: functions[2], count: int(count)}, nil
}

func load(names []string) (uintptr, error) {
	for _, name := range names {
		if library, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL); err == nil {
			return library, nil
		}
	}
	return 0, lastWords["missing"]
}

func (r *rlottie) frames() int { return r.count }

func (r *rlottie) draw(frame int, pixels []byte, width, height int) {
	purego.SyscallN(r.render, r.handle, uintptr(frame), address(pixels), uintptr(width), uintptr(height), uintptr(4*width))
	runtime.KeepAlive(pixels)
}

// address is where bytes lie, for the library; the memory of Go is not moved.
func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

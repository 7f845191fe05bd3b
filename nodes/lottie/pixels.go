package lottie

import "image/color"

// finish makes pixels of the library those of a film: laid over a background, or
// with colors that their alpha is not multiplied into.
func finish(pixels []byte, background *color.NRGBA) {
	if background == nil {
		divideAlpha(pixels)
		return
	}
	behind := [3]int{int(background.B), int(background.G), int(background.R)}
	for at := 0; at+3 < len(pixels); at += 4 {
		through := 255 - int(pixels[at+3])
		if through == 0 {
			continue
		}
		for i, c := range behind {
			pixels[at+i] = byte(min(255, int(pixels[at+i])+(c*through+127)/255))
		}
		pixels[at+3] = 255
	}
}

func divideAlpha(pixels []byte) {
	for at := 0; at+3 < len(pixels); at += 4 {
		alpha := int(pixels[at+3])
		if alpha == 0 || alpha == 255 {
			continue
		}
		for i := range 3 {
			pixels[at+i] = byte(min(255, (int(pixels[at+i])*255+alpha/2)/alpha))
		}
	}
}

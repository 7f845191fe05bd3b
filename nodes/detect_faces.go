package nodes

import (
	"context"

	"atelier/models"
	"atelier/nodes/face"
	"atelier/nodes/kit"
)

var detectFacesNode = &kit.Node{
	Type: "detect-faces", Label: "Detect faces", Category: "image", OutputType: "data",
	Description:  "Finds where faces are in a picture; never whose they are. Faces turned aside may be missed.",
	Capabilities: []string{"image-to-data", "faces"},
	InputSchema: kit.Object(
		kit.Address("imageUrl", "Image", "The picture to look at.", "image").Required(),
		kit.Number("minSize", "Smallest face", "As part of the picture's shorter side; 0 finds all.", 0, 1).Or(0.0),
	),
	Cost: models.Credit / 10, MainInput: "imageUrl", MainOutput: "faces", Pool: kit.Media,
	Run: detectFaces,
}

func detectFaces(ctx context.Context, in *kit.Call) (kit.Output, error) {
	img, err := in.ReadImage(ctx, in.Text("imageUrl"))
	if err != nil {
		return nil, err
	}
	found := face.Find(img, in.Number("minSize"))
	faces := make([]any, len(found))
	for i, b := range found {
		faces[i] = map[string]any{"x": b.X, "y": b.Y, "width": b.Width, "height": b.Height, "score": b.Score}
	}
	return kit.Output{"count": len(found), "faces": faces, "width": img.Bounds().Dx(), "height": img.Bounds().Dy()}, nil
}

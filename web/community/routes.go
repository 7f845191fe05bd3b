package community

import "atelier/web/frame"

// Routes registers the pages of what people post for others.
func Routes(on frame.Routes, c *frame.Console) {
	p := Pages{Console: c}
	post := "/community/{id" + frame.ID + "}"

	// Lists of a space.
	for _, space := range frame.Spaces {
		on.Get(space+"/community", p.Community)
		on.Get(space+"/community/mine", p.OwnPosts)
		on.Get(space+"/community/review", p.ReviewPosts)
		on.Post(space+"/community/review", p.DecidePosts)
	}

	// One post.
	on.Get("/community/post", p.NewPost)
	on.Post("/community/post", p.CreatePost)
	on.Get(post, p.PostPage)
	on.Get(post+"/edit", p.EditPost)
	on.Post(post+"/edit", p.UpdatePost)
	on.Post(post+"/use", p.UsePost)
	on.Post(post+"/like", p.LikePost)
	on.Get(post+"/report", p.ReportPage)
	on.Post(post+"/report", p.ReportPost)
	on.Post(post+"/moderate", p.ModeratePost)
	on.Get(post+"/delete", p.AskDeletePost)
	on.Post(post+"/delete", p.DeletePost)
}

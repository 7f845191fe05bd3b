package org

import "atelier/models"

// What is searched for, and the patterns that find it.
var cleanSearch, containing, likeEscapes = models.CleanSearch, models.Containing, models.LikeEscapes

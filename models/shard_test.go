package models_test

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"

	"atelier/models"
	"atelier/models/dbtest"
)

// An id in the shard of another one keeps its time, its place among others and its form.
func TestIDsCarryTheShardOfTheirSpace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMicro(rapid.Int64Range(0, 1<<50).Draw(t, "microseconds"))
		space, id := models.NewID(at.Add(time.Hour)), models.NewID(at)
		in := models.InShardOf(id, space)
		if models.ShardOf(in) != models.ShardOf(space) || models.ShardOf(in) >= models.Shards {
			t.Fatalf("%s is in shard %d, that of %s is %d", in, models.ShardOf(in), space, models.ShardOf(space))
		}
		if in.Version() != 7 || in.Variant() != id.Variant() || [8]byte(in[:8]) != [8]byte(id[:8]) {
			t.Fatalf("%s became %s", id, in)
		}
		if models.InShardOf(in, id) != id {
			t.Fatalf("%s lost more than its shard", id)
		}
	})
}

// What the database makes of ids is what the program makes of them.
func TestShardsInTheDatabase(t *testing.T) {
	db := dbtest.New(t)
	for range 200 {
		id, space := models.NewID(time.Now()), models.NewID(time.Now())
		var shard int
		var in models.ID
		var fitsSpace, fitsID, fitsOther bool
		err := db.Row(context.Background(), `SELECT shard_of($1), id_in_space($1, $2), shard_fits_space($3::int, $2), shard_fits_id($3::int, $4), shard_fits_id($3::int, $1)`,
			id, space, models.ShardOf(space), models.InShardOf(id, space)).Scan(&shard, &in, &fitsSpace, &fitsID, &fitsOther)
		if err != nil {
			t.Fatal(err)
		}
		if shard != models.ShardOf(id) || in != models.InShardOf(id, space) || !fitsSpace || !fitsID || fitsOther != (models.ShardOf(id) == models.ShardOf(space)) {
			t.Fatalf("%s in %s: shard %d, %s, fits %t %t %t", id, space, shard, in, fitsSpace, fitsID, fitsOther)
		}
	}
}

// Shards are as full as chance makes them.
func TestShardsAreEven(t *testing.T) {
	counts := make([]int, models.Shards)
	const each = 50
	for range models.Shards * each {
		counts[models.ShardOf(models.NewID(time.Now()))]++
	}
	var sum float64
	for _, n := range counts {
		sum += float64(n-each) * float64(n-each) / each
	}
	if deviation := sum / models.Shards; deviation < 0.8 || deviation > 1.2 {
		t.Errorf("chi-square by degree of freedom: %f", deviation)
	}
}

package migrations_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"atelier/migrations"
	"atelier/models/dbtest"

	"github.com/jackc/pgx/v5"
)

// The words of a row are the same with and without a query.
func TestWordsOfRowsStay(t *testing.T) {
	ctx, url := context.Background(), dbtest.NewPlainURL(t)
	downBefore(t, url, 93)
	values := []*string{nil}
	for _, value := range []string{
		"", " ", "@", "Mara Lindt", "mara.lindt+school@example.org", "Łódź-Ærø straße ẞ", "a\u0301 \u00a0b…c", "50% off", "_a%b my_file", "% % @x# \\ ' \" & : |",
		"中文 字", "ﷺ " + strings.Repeat("ﷺ", 20), strings.Repeat("x", 100), strings.Repeat("x", 101), strings.Repeat("ß", 60), strings.Repeat("_a%", 200), strings.Repeat("word ", 100),
	} {
		values = append(values, &value)
	}
	words := func() (rows []string) {
		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(ctx)
		found, err := conn.Query(ctx, `SELECT coalesce(search_index(n, a)::text, 'none') FROM unnest($1::text[]) n, unnest($1::text[]) a`, values)
		if err == nil {
			rows, err = pgx.CollectRows(found, pgx.RowTo[string])
		}
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	before := words()
	if err := migrations.Up(ctx, url); err != nil {
		t.Fatal(err)
	}
	after := words()
	if len(before) != len(values)*len(values) || !slices.Contains(before, "'lindt' 'mara'") {
		t.Fatalf("the words of before are %d: %.500s", len(before), before)
	}
	for i := range before {
		if before[i] != after[i] {
			t.Errorf("%d: %s became %s", i, before[i], after[i])
		}
	}
}

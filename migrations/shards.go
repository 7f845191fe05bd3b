package migrations

import "strings"

// ShardFunctions gives the conditions on shards their meaning (migration 89), for a database whose runs are spread over several
// servers, and for tests. Ids of runs and jobs up to last, an id of 36 characters, were made before ids carried a shard. What
// shard_of says is spelled out: Citus gives the other servers these functions, and not the one that they would call.
func ShardFunctions(last string) string {
	const functions = `
CREATE OR REPLACE FUNCTION shard_fits_space(shard int, space uuid) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT shard = (get_byte(uuid_send(space), 8) & 15) * 256 + get_byte(uuid_send(space), 9)
$$;
CREATE OR REPLACE FUNCTION shard_fits_id(shard int, id uuid) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT id <= 'LAST'::uuid OR shard = (get_byte(uuid_send(id), 8) & 15) * 256 + get_byte(uuid_send(id), 9)
$$;
CREATE OR REPLACE FUNCTION shards_match(one int, other int) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT one = other
$$;`
	return strings.ReplaceAll(functions, "LAST", last)
}

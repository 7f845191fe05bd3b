-- Search by the words of names.
-- +goose Up

-- How things are found by a name, in every list and in the search: each word
-- that is typed is the beginning of a word of the name. Case and accents do not
-- count, and punctuation divides words, so that an address is found by any part
-- of it. No extension is needed for it, and no locale: accents go before case.

-- +goose StatementBegin
CREATE FUNCTION search_words(t text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN array_remove(regexp_split_to_array(
  replace(replace(replace(
    lower(translate(regexp_replace(normalize(t, NFKD), '[\u0300-\u036f]', '', 'g'), 'øØłŁđĐıðÐħĦÆŒẞ', 'oollddiddhhæœß')),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
  '[\s!-/:-@\[-`{-~\u00a0\u00b7\u2010-\u201f\u2026]+'), '');
-- +goose StatementEnd

-- +goose StatementBegin
-- What a row is found by. Words of an address begin with @, so that whoever may
-- not see addresses does not find people by them.
CREATE FUNCTION search_index(name text, address text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT array_to_tsvector(array_agg(DISTINCT left(word, 100))) FROM (
    SELECT unnest(search_words(name)) AS word
    UNION ALL
    SELECT '@' || unnest(search_words(address))
  ) words;
END;
-- +goose StatementEnd

-- +goose StatementBegin
-- What was typed, as a query of such rows; addresses too where that is asked for.
CREATE FUNCTION search_query(typed text, addresses boolean) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT string_agg(CASE WHEN addresses THEN '(''' || word || ''':* | ''@' || word || ''':*)' ELSE '''' || word || ''':*' END, ' & ')::tsquery
  FROM (SELECT left(unnest(search_words(typed)), 100) AS word) words;
END;
-- +goose StatementEnd

ALTER TABLE users ADD COLUMN search tsvector GENERATED ALWAYS AS (search_index(display_name, address)) STORED;
ALTER TABLE workspaces ADD COLUMN search tsvector GENERATED ALWAYS AS (search_index(name, NULL)) STORED;
ALTER TABLE workflows ADD COLUMN search tsvector GENERATED ALWAYS AS (search_index(name, NULL)) STORED;
ALTER TABLE apps ADD COLUMN search tsvector GENERATED ALWAYS AS (search_index(name, NULL)) STORED;

CREATE INDEX users_search ON users USING gin (search) WITH (fastupdate = off);
CREATE INDEX workspaces_search ON workspaces USING gin (search) WITH (fastupdate = off);
CREATE INDEX workflows_search ON workflows USING gin (search) WITH (fastupdate = off) WHERE deleted_at IS NULL;
CREATE INDEX apps_search ON apps USING gin (search) WITH (fastupdate = off) WHERE deleted_at IS NULL;

-- +goose Down
ALTER TABLE users DROP COLUMN search;
ALTER TABLE workspaces DROP COLUMN search;
ALTER TABLE workflows DROP COLUMN search;
ALTER TABLE apps DROP COLUMN search;
DROP FUNCTION search_query;
DROP FUNCTION search_index;
DROP FUNCTION search_words;

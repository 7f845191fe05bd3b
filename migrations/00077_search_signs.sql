-- Signs that people search for are found.
-- +goose Up

-- Signs that people search for (% _ \ # * + = < > ^ | ~ $) are found too. What stands between blanks and
-- holds one is found as it was typed, from the beginning of a word or from a sign on: "50%" finds "50% off" and not
-- "50 ways", "_" finds "my_file". All else is as before. At most 200 such places of a row are found.

-- +goose StatementBegin
CREATE FUNCTION search_fold(t text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(replace(replace(
  lower(translate(regexp_replace(normalize(t, NFKD), '[\u0300-\u036f]', '', 'g'), 'øØłŁđĐıðÐħĦÆŒẞ', 'oollddiddhhæœß')),
  'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
-- +goose StatementEnd

-- +goose StatementBegin
-- None begins with @, which marks the words of addresses.
CREATE FUNCTION search_signs(t text) RETURNS SETOF text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
  SELECT left(substr(token, at), 100) FROM (
    SELECT left(token, 400) AS token, n FROM regexp_split_to_table(search_fold(t), '\s+') WITH ORDINALITY AS tokens (token, n)
    WHERE token ~ '[%_\\#*+=<>^|~$]'
  ) found, generate_series(1, length(token)) AS at
  WHERE substr(token, at) ~ '[%_\\#*+=<>^|~$]' AND substr(token, at, 1) <> '@'
    AND (at = 1 OR substr(token, at, 1) ~ '[%_\\#*+=<>^|~$]' OR substr(token, at - 1, 1) ~ '[!-/:-@\[-`{-~\u00a0\u00b7\u2010-\u201f\u2026]')
  ORDER BY n, at LIMIT 200;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION search_index(name text, address text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT array_to_tsvector(array_agg(DISTINCT left(word, 100))) FROM (
    SELECT unnest(search_words(name)) AS word
    UNION ALL
    SELECT search_signs(name)
    UNION ALL
    SELECT '@' || unnest(search_words(address))
    UNION ALL
    SELECT '@' || signs FROM search_signs(address) AS signs
  ) words;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION search_query(typed text, addresses boolean) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT string_agg(CASE WHEN addresses THEN '(''' || word || ''':* | ''@' || word || ''':*)' ELSE '''' || word || ''':*' END, ' & ')::tsquery
  FROM (
    SELECT replace(replace(left(word, 100), '\', '\\'), '''', '''''') AS word
    FROM regexp_split_to_table(search_fold(typed), '\s+') AS token, unnest(
      CASE WHEN token ~ '[%_\\#*+=<>^|~$]' THEN ARRAY[ltrim(token, '@')] ELSE search_words(token) END) AS word
  ) words;
END;
-- +goose StatementEnd

UPDATE users SET display_name = display_name WHERE concat(display_name, address) ~ '[%_\\#*+=<>^|~$]';
UPDATE workspaces SET name = name WHERE name ~ '[%_\\#*+=<>^|~$]';
UPDATE workflows SET name = name WHERE name ~ '[%_\\#*+=<>^|~$]';
UPDATE apps SET name = name WHERE name ~ '[%_\\#*+=<>^|~$]';
UPDATE elements SET name = name WHERE element_words(name, handle, description, tags) ~ '[%_\\#*+=<>^|~$]';
UPDATE community_posts SET title = title WHERE concat(title, description) ~ '[%_\\#*+=<>^|~$]';
UPDATE productions SET name = name WHERE concat(name, description) ~ '[%_\\#*+=<>^|~$]';

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION search_index(name text, address text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT array_to_tsvector(array_agg(DISTINCT left(word, 100))) FROM (
    SELECT unnest(search_words(name)) AS word
    UNION ALL
    SELECT '@' || unnest(search_words(address))
  ) words;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION search_query(typed text, addresses boolean) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT string_agg(CASE WHEN addresses THEN '(''' || word || ''':* | ''@' || word || ''':*)' ELSE '''' || word || ''':*' END, ' & ')::tsquery
  FROM (SELECT left(unnest(search_words(typed)), 100) AS word) words;
END;
-- +goose StatementEnd
DROP FUNCTION search_signs;
DROP FUNCTION search_fold;

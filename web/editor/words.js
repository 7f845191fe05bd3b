// The sentences of the editor in the reader's language: the page brings them (web/flow/editor_words.go), by name.

/** @type {Record<string, any>} */
let texts = {};

export function learn(words) { texts = words; }

const language = () => document.documentElement.lang || "en";

// digits is a whole number as the reader's language writes it.
export const digits = (n) => n.toLocaleString(language());

const fill = (text, values) => text.replace(/\{(\d)\}/g, (_, place) => values[place - 1]);

// word is a sentence with values in its places.
export const word = (name, ...values) => fill(texts[name], values);

// list is what the page brings under one name.
export const list = (name) => texts[name];

// count is a sentence about a number of things: the number is {1}.
export function count(name, n, ...values) {
  const [one, many] = texts[name];
  return fill(new Intl.PluralRules(language()).select(n) === "one" ? one : many, [digits(n), ...values]);
}

// parts is a sentence whose values are elements, as a list of texts and elements.
export function parts(name, ...values) {
  return texts[name].split(/(\{\d\})/).filter(Boolean).map((part) => { const place = part.match(/^\{(\d)\}$/); return place ? values[Number(place[1]) - 1] : part; });
}

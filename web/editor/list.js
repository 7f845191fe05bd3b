// The graph as a list, for phones, for keyboards, and for whoever prefers to read.

import { h } from "./dom.js";
import { word } from "./words.js";

export function drawList(list, graph, { states, problems, inspect }) {
  const feeds = graph.feeds();
  list.replaceChildren(...graph.inOrder().map((node) => {
    const from = feeds.filter((feed) => feed.target === node.id), state = states.get(node.id), wrong = problems.get(node.id);
    const kind = graph.kinds.get(node.type);
    return h("li", {},
      h("button.ed-item", { type: "button", "aria-pressed": String(graph.selected.has(node.id)), "data-node": node.id, onclick: () => { graph.select([node.id]); inspect(node.id); } },
        h("span.ed-dot.ed-" + (kind?.outputType ?? "data"), { "aria-hidden": "true" }),
        h("span.ed-item-text", {}, h("b", {}, graph.call(node)), h("span", {}, kind?.label ?? node.type)),
        wrong ? h("span.tag.bad.dot", {}, word("wrong")) : state && h("span.tag.dot." + (state.tone || "plain"), {}, state.word)),
      from.length > 0 && h("p.small.muted", {}, word("connectedTo", from.map((feed) => {
        const source = graph.node(feed.source);
        return (source ? graph.call(source) : feed.source) + (feed.field ? ` (${graph.kinds.title(node.type, feed.field)})` : "");
      }).join(", "))),
      wrong && h("p.error", {}, wrong[0].message));
  }));
}

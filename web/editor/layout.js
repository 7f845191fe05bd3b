// Places nodes in columns from left to right: each one behind what feeds it, near the middle of it.

import { nodeSize, toGraph } from "./canvas.js";

const gapX = 64, gapY = 32;

// arrange leaves room for the results that nodes show.
export function arrange(graph, results) {
  const feeds = graph.feeds(), column = new Map(), columns = [];
  for (const node of graph.inOrder()) {
    let at = 0;
    for (const feed of feeds) if (feed.target === node.id && column.has(feed.source)) at = Math.max(at, column.get(feed.source) + 1);
    column.set(node.id, at);
    (columns[at] ??= []).push(node);
  }
  const places = new Map();
  let x = 0;
  for (const nodes of columns) {
    const wanted = new Map(nodes.map((node, i) => [node.id, middleOfFeeds(node, feeds, places) ?? i * 1e-3]));
    nodes.sort((a, b) => wanted.get(a.id) - wanted.get(b.id));
    const heights = nodes.map((node) => nodeSize(graph, node, feeds, results).height);
    const whole = heights.reduce((sum, height) => sum + height + gapY, -gapY);
    const middles = nodes.map((node) => wanted.get(node.id)).filter((value) => value > 1);
    let y = middles.length ? Math.max(0, middles.reduce((a, b) => a + b, 0) / middles.length - whole / 2) : 0;
    nodes.forEach((node, i) => {
      places.set(node.id, { x, y });
      y += heights[i] + gapY;
    });
    x += Math.max(...nodes.map((node) => nodeSize(graph, node, feeds, results).width)) + gapX;
  }
  graph.move(new Map([...places].map(([id, at]) => [id, toGraph(at)])), "arrange");
}

function middleOfFeeds(node, feeds, places) {
  const ys = feeds.filter((feed) => feed.target === node.id && places.has(feed.source)).map((feed) => places.get(feed.source).y + 48);
  return ys.length ? ys.reduce((a, b) => a + b, 0) / ys.length : undefined;
}

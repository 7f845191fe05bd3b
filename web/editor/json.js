// The graph as JSON beside the canvas: what is typed there is drawn at once, and what is drawn is written there.

import { $, later } from "./dom.js";
import { word } from "./words.js";

export function startJSON(panel, graph, readOnly) {
  const area = $("textarea", panel), error = $("[data-json-error]", panel);
  area.readOnly = readOnly;
  const show = () => {
    area.value = graph.text();
    complain("");
  };
  const complain = (words) => {
    error.textContent = words;
    error.hidden = !words;
    area.toggleAttribute("aria-invalid", Boolean(words));
  };
  const read = later(350, () => {
    try {
      graph.replace(shaped(JSON.parse(area.value)), "json");
      complain("");
    } catch (err) {
      complain(word("drawingKept", err.message));
    }
  });
  area.addEventListener("input", read);
  graph.addEventListener("change", (e) => { if (e.detail !== "json") show(); });
  show();
}

// shaped checks that a value has the form of a graph, so that it can be drawn; the service checks the rest.
export function shaped(value) {
  const isText = (v) => typeof v === "string" && v !== "";
  const fail = (said) => { throw new Error(said); };
  if (!value || typeof value !== "object" || !Array.isArray(value.nodes)) fail(word("graphForm"));
  const ids = new Set();
  const nodes = value.nodes.map((node, i) => {
    if (!isText(node?.id) || !isText(node?.type)) fail(word("nodeNeeds", i + 1));
    if (ids.has(node.id)) fail(word("idTwice", node.id));
    ids.add(node.id);
    const out = { id: node.id, type: node.type };
    if (isText(node.parentId)) out.parentId = node.parentId;
    if (Number.isFinite(node.position?.x) && Number.isFinite(node.position?.y)) out.position = { x: node.position.x, y: node.position.y };
    out.data = node.data && typeof node.data === "object" && !Array.isArray(node.data) ? node.data : {};
    return out;
  });
  const edges = (value.edges ?? []).map((edge, i) => {
    if (!isText(edge?.source) || !isText(edge?.target)) fail(word("edgeNeeds", i + 1));
    const out = { id: isText(edge.id) ? edge.id : `e${i + 1}`, source: edge.source, target: edge.target };
    if (isText(edge.sourceHandle)) out.sourceHandle = edge.sourceHandle;
    if (isText(edge.targetHandle)) out.targetHandle = edge.targetHandle;
    return out;
  });
  return { nodes, edges };
}

// The graph as JSON beside the canvas: what is typed there is drawn at once, and what is drawn is written there.

import { $, later } from "./dom.js";

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
      complain(`${err.message}. The drawing stays as it was until this can be read.`);
    }
  });
  area.addEventListener("input", read);
  graph.addEventListener("change", (e) => { if (e.detail !== "json") show(); });
  show();
}

// shaped checks that a value has the form of a graph, so that it can be drawn; the service checks the rest.
export function shaped(value) {
  const isText = (v) => typeof v === "string" && v !== "";
  const fail = (words) => { throw new Error(words); };
  if (!value || typeof value !== "object" || !Array.isArray(value.nodes)) fail('A graph is { "nodes": [...], "edges": [...] }');
  const ids = new Set();
  const nodes = value.nodes.map((node, i) => {
    if (!isText(node?.id) || !isText(node?.type)) fail(`Node ${i + 1} needs an id and a type`);
    if (ids.has(node.id)) fail(`The id ${node.id} is used twice`);
    ids.add(node.id);
    const out = { id: node.id, type: node.type };
    if (isText(node.parentId)) out.parentId = node.parentId;
    if (Number.isFinite(node.position?.x) && Number.isFinite(node.position?.y)) out.position = { x: node.position.x, y: node.position.y };
    out.data = node.data && typeof node.data === "object" && !Array.isArray(node.data) ? node.data : {};
    return out;
  });
  const edges = (value.edges ?? []).map((edge, i) => {
    if (!isText(edge?.source) || !isText(edge?.target)) fail(`Edge ${i + 1} needs a source and a target`);
    const out = { id: isText(edge.id) ? edge.id : `e${i + 1}`, source: edge.source, target: edge.target };
    if (isText(edge.sourceHandle)) out.sourceHandle = edge.sourceHandle;
    if (isText(edge.targetHandle)) out.targetHandle = edge.targetHandle;
    return out;
  });
  return { nodes, edges };
}

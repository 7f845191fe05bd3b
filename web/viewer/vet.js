// Looks through a GLB before anything is made of it: a model may come from anywhere, and must neither hang the page nor
// reach for anything outside of itself.

// Refused is why a model is not shown: the name of a sentence among the words of the page, and what that names.
export class Refused extends Error {
  constructor(word, named = "") {
    super(word);
    this.word = word;
    this.named = named;
  }
}

const limits = { json: 8 << 20, nodes: 5000, depth: 64, primitives: 5000, materials: 500, images: 32, pixels: 64e6, lights: 8, values: 24e6, drawn: 6e6 };

// understood are the extensions that are left in a model; one that needs another is refused.
const understood = ["KHR_lights_punctual", "KHR_materials_unlit", "KHR_materials_emissive_strength", "KHR_texture_transform", "KHR_mesh_quantization"];

const numbers = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };

const large = () => new Refused("much");
const broken = () => new Refused("unreadable");

// vetted are the bytes of a GLB with what this page shows of it, or a refusal.
export function vetted(bytes) {
  const { json, body } = chunks(bytes);
  let doc;
  try {
    doc = JSON.parse(new TextDecoder().decode(json));
  } catch {
    throw broken();
  }
  if (!doc || typeof doc !== "object" || !Array.isArray(doc.scenes) || !doc.scenes.length) throw broken();
  for (const name of ["nodes", "meshes", "accessors", "bufferViews", "buffers", "materials", "textures", "images", "samplers", "cameras"]) {
    if (doc[name] !== undefined && (!Array.isArray(doc[name]) || doc[name].some((one) => !one || typeof one !== "object"))) throw broken();
  }
  for (const name of doc.extensionsRequired ?? []) {
    if (!understood.includes(name)) throw new Refused("needs", String(name).slice(0, 60));
  }
  leaveOut(doc);
  withinBounds(doc, body);
  return joined(new TextEncoder().encode(JSON.stringify(doc)), body);
}

function chunks(bytes) {
  const at = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 20 || at.getUint32(0, true) !== 0x46546c67 || at.getUint32(4, true) !== 2 || at.getUint32(16, true) !== 0x4e4f534a) throw broken();
  const length = at.getUint32(12, true), end = 20 + length;
  if (length > limits.json) throw large();
  if (end > bytes.length) throw broken();
  let body = new Uint8Array();
  if (end + 8 <= bytes.length && at.getUint32(end + 4, true) === 0x004e4942) body = bytes.subarray(end + 8, end + 8 + at.getUint32(end, true));
  return { json: bytes.subarray(20, end), body };
}

// leaveOut takes away what is not shown: movement, bones, shapes to change into, and what extensions add.
function leaveOut(doc) {
  delete doc.animations;
  delete doc.skins;
  doc.extensionsUsed = (doc.extensionsUsed ?? []).filter((name) => understood.includes(name));
  delete doc.extensionsRequired;
  const known = (one) => {
    for (const name of Object.keys(one.extensions ?? {})) if (!understood.includes(name)) delete one.extensions[name];
    delete one.extras;
  };
  for (const list of [doc.nodes, doc.meshes, doc.materials, doc.textures, doc.images, doc.bufferViews, doc.accessors, doc.cameras, doc.scenes]) list?.forEach(known);
  for (const node of doc.nodes ?? []) {
    delete node.skin;
    delete node.weights;
  }
  for (const mesh of doc.meshes ?? []) {
    delete mesh.weights;
    for (const p of mesh.primitives ?? []) {
      known(p);
      delete p.targets;
    }
  }
  const lights = doc.extensions?.KHR_lights_punctual?.lights;
  doc.extensions = Array.isArray(lights) ? { KHR_lights_punctual: { lights: lights.slice(0, limits.lights) } } : {};
  let lit = 0;
  for (const node of doc.nodes ?? []) {
    const light = node.extensions?.KHR_lights_punctual;
    if (light && (!Array.isArray(lights) || !(light.light < limits.lights) || ++lit > limits.lights)) delete node.extensions.KHR_lights_punctual;
  }
  if (!doc.extensions.KHR_lights_punctual) doc.extensionsUsed = doc.extensionsUsed.filter((name) => name !== "KHR_lights_punctual");
}

function withinBounds(doc, body) {
  const { nodes = [], meshes = [], accessors = [], bufferViews = [], buffers = [], materials = [], images = [], textures = [] } = doc;
  if (nodes.length > limits.nodes || materials.length > limits.materials || images.length > limits.images || textures.length > limits.images * 4) throw large();
  if (buffers.length > 1 || buffers.some((b) => b.uri !== undefined || !(b.byteLength <= body.length))) throw new Refused("elsewhere");
  if (images.some((i) => i.uri !== undefined || !bufferViews[i.bufferView])) throw new Refused("elsewhere");
  let pixels = 0;
  for (const image of images) {
    const view = bufferViews[image.bufferView];
    const size = sizeOf(body.subarray(view.byteOffset ?? 0, (view.byteOffset ?? 0) + view.byteLength));
    if (!size) throw new Refused("picture");
    pixels += size[0] * size[1];
  }
  if (!(pixels <= limits.pixels)) throw large();
  let values = 0;
  for (const a of accessors) {
    if (a.sparse || !bufferViews[a.bufferView] || !numbers[a.type] || !(a.count >= 1)) throw broken();
    values += a.count * numbers[a.type];
  }
  if (!(values <= limits.values)) throw large();
  let primitives = 0;
  const cost = meshes.map((mesh) => {
    let drawn = 0;
    for (const p of mesh.primitives ?? []) {
      primitives++;
      drawn += accessors[p.indices ?? p.attributes?.POSITION]?.count ?? Infinity;
    }
    return drawn;
  });
  if (primitives > limits.primitives) throw large();
  walk(doc, nodes, cost);
}

// walk goes through the tree: every node once, not too deep, and not too much to draw in all.
function walk(doc, nodes, cost) {
  const seen = new Set();
  let drawn = 0, parts = 0;
  const open = (doc.scenes[doc.scene ?? 0]?.nodes ?? []).map((n) => [n, 1]);
  while (open.length) {
    const [index, depth] = open.pop();
    const node = nodes[index];
    if (!node || seen.has(index)) throw broken();
    seen.add(index);
    if (depth > limits.depth) throw large();
    if (node.mesh !== undefined) {
      drawn += cost[node.mesh] ?? Infinity;
      parts += doc.meshes[node.mesh]?.primitives?.length ?? 0;
    }
    for (const child of node.children ?? []) open.push([child, depth + 1]);
  }
  if (!(drawn <= limits.drawn) || parts > limits.primitives) throw large();
}

// sizeOf is the width and height of a PNG or JPEG, read from its head; null for anything else.
function sizeOf(b) {
  const at = new DataView(b.buffer, b.byteOffset, b.byteLength);
  if (b.length > 24 && at.getUint32(0) === 0x89504e47) return [at.getUint32(16), at.getUint32(20)];
  if (b.length < 4 || at.getUint16(0) !== 0xffd8) return null;
  for (let i = 2; i + 9 < b.length;) {
    const mark = at.getUint16(i);
    if (mark >= 0xffc0 && mark <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(mark)) return [at.getUint16(i + 7), at.getUint16(i + 5)];
    if (mark >> 8 !== 0xff) return null;
    i += 2 + at.getUint16(i + 2);
  }
  return null;
}

function joined(json, body) {
  const pad = (n) => (4 - (n % 4)) % 4;
  const textLength = json.length + pad(json.length), bodyLength = body.length + pad(body.length);
  const out = new Uint8Array(20 + textLength + (body.length ? 8 + bodyLength : 0));
  const at = new DataView(out.buffer);
  at.setUint32(0, 0x46546c67, true);
  at.setUint32(4, 2, true);
  at.setUint32(8, out.length, true);
  at.setUint32(12, textLength, true);
  at.setUint32(16, 0x4e4f534a, true);
  out.fill(0x20, 20, 20 + textLength);
  out.set(json, 20);
  if (body.length) {
    at.setUint32(20 + textLength, bodyLength, true);
    at.setUint32(24 + textLength, 0x004e4942, true);
    out.set(body, 28 + textLength);
  }
  return out.buffer;
}

// Fetches a model and reads it with the loader of three.js.
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { Texture } from "three";
import { Refused, vetted } from "./vet.js";

const asked = 8 << 20; // bytes beyond which people are asked first
const most = 64 << 20; // bytes beyond which nothing is shown
const mostPixels = 4096; // on a side; larger pictures of a model are made smaller

// TooLarge refuses a model for its bytes, 0 where the server does not tell them. Where asks is set, it loads once it was said that it should.
export class TooLarge extends Error {
  constructor(bytes, asks) {
    super("too large");
    this.bytes = bytes;
    this.asks = asks;
    this.word = "large";
  }
}

export async function load(address, agreed) {
  const gone = new AbortController();
  const response = await fetch(address, { signal: gone.signal, credentials: "same-origin" }).catch(() => { throw new Refused("offline"); });
  if (!response.ok) throw new Refused("gone");
  const told = response.headers.has("Content-Encoding") ? 0 : Number(response.headers.get("Content-Length"));
  const bound = agreed ? most : asked;
  const refuse = (bytes) => {
    gone.abort();
    throw new TooLarge(bytes, !agreed && bytes <= most);
  };
  if (told > bound) refuse(told);
  const parts = [];
  let length = 0;
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > bound) refuse(0);
    parts.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const p of parts) {
    bytes.set(p, at);
    at += p.length;
  }
  return read(vetted(bytes));
}

async function read(glb) {
  const loader = new GLTFLoader();
  loader.register((parser) => {
    parser.loadImageSource = (index) => picture(parser, index);
    return { name: "ATELIER_pictures" };
  });
  const gltf = await loader.parseAsync(glb, "").catch(() => { throw new Refused("unreadable"); });
  return { scene: gltf.scene, camera: gltf.cameras[0] ?? null };
}

// picture reads a picture out of the model's own bytes. The loader's own way leads through addresses (blob:) that the
// policy of the pages refuses.
async function picture(parser, index) {
  const source = parser.json.images[index];
  const bytes = await parser.getDependency("bufferView", source.bufferView);
  const blob = new Blob([bytes], { type: source.mimeType });
  /** @type {ImageBitmapOptions} */
  const options = { premultiplyAlpha: "none", colorSpaceConversion: "none" };
  let bitmap = await createImageBitmap(blob, options);
  const scale = mostPixels / Math.max(bitmap.width, bitmap.height);
  if (scale < 1) {
    const smaller = { ...options, resizeWidth: Math.max(1, Math.round(bitmap.width * scale)), resizeHeight: Math.max(1, Math.round(bitmap.height * scale)) };
    bitmap.close();
    bitmap = await createImageBitmap(blob, smaller);
  }
  const texture = new Texture(bitmap);
  texture.needsUpdate = true;
  return texture;
}

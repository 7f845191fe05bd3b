// Uploads a file and shows how far it is; its address is what inputs for files take.
import { Atelier } from "atelier-sdk";

const atelier = new Atelier();

// In Node, openAsBlob of node:fs reads a file from the disk; in a browser a form hands out files.
const notes = new Blob(["The fox is in the snow.\n".repeat(4_000)], { type: "text/plain" });
const file = await atelier.files.upload(notes, { name: "notes.txt", onProgress: ({ sent, total }) => console.log(`${Math.round((100 * sent) / total)} %`) });
console.log(file.url, file.contentType, file.size);

const copy = await atelier.files.save(file.url);
console.log((await (await atelier.files.download(copy.url)).text()).slice(0, 23));

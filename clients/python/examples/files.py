"""Uploads a file and shows how far it is; its address is what inputs for files take."""

import pathlib

from atelier_sdk import Atelier

atelier = Atelier()

pathlib.Path("notes.txt").write_text("The fox is in the snow.\n" * 4000)
file = atelier.files.upload("notes.txt", on_progress=lambda sent, total: print(f"{100 * sent // total} %"))
print(file["url"], file["contentType"], file["size"])
print(atelier.files.upload(b"A few words.", name="words.txt")["size"])

copy = atelier.files.save(file["url"])
print(atelier.files.download(copy["url"])[:23].decode())

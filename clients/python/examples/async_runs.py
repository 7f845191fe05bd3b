"""Runs an app several times at once."""

import asyncio

from atelier_sdk import AsyncAtelier


async def main():
    async with AsyncAtelier() as atelier:
        names = ["Ada", "Grace", "Hedy"]
        for made in await asyncio.gather(*(atelier.apps.run("greeting", {"name": name}) for name in names)):
            print(made.result.text)
        print((await atelier.files.upload(b"A few words.", name="words.txt"))["size"])
        async for run in atelier.apps.runs("greeting", limit=2):
            print(run["status"])
            break


asyncio.run(main())

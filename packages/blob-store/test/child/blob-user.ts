import { appendFile, utimes } from "node:fs/promises"
import { join } from "node:path"
import { FileBlobStore } from "@treelog/blob-store"
import { blobRef } from "@treelog/session-core/adapter"

const [task = "", blobs = "", session = "", count = "0"] = process.argv.slice(2)
const store = new FileBlobStore(blobs)
const tell = (text: string) => new Promise<void>((resolve) => void process.send?.(text, () => resolve()))

/** Puts blobs without end, and reports the hash of each one that is stored. */
async function put(): Promise<void> {
  for (let number = 0; ; number++) {
    const bytes = new Uint8Array(100_000 + number).fill(number)
    await tell(await store.put(number % 2 === 0 ? bytes : inPieces(bytes)))
  }
}

/** Puts blobs that were put long ago again, names each in a line, and makes it old as soon as its line is written. */
async function write(): Promise<void> {
  for (let number = 0; number < Number(count); number++) {
    const hash = await store.put(new TextEncoder().encode(`old blob ${number}`))
    await appendFile(session, `${JSON.stringify({ type: "custom", data: blobRef(hash) })}\n`)
    const old = new Date("2026-01-01T00:00:00.000Z")
    await utimes(join(blobs, hash), old, old).catch(ignoreMissing)
    if (number === 0) await tell("begun")
  }
  await tell("done")
}

/** A sweep may hold it for a moment: what it gives back then is as good. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += 10_000) yield bytes.subarray(from, from + 10_000)
}

await (task === "put" ? put() : write())
process.disconnect()

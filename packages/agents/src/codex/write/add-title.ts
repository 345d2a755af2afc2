import { join } from "node:path"
import { parsedObject, textIn } from "@treelog-internal/agent-files"
import { FILE_MODE, type FsPort, fileChunks, statIfThere, withStorageErrors, writeWhole } from "@treelog-internal/fs"

/**
 * Gives a thread a name, as Codex's own list reads it: by a line at the end of `session_index.jsonl`, in one write. Nothing where the thread has that
 * name.
 * @throws StorageError
 */
export function addTitle(fs: FsPort, home: string, id: string, name: string): Promise<void> {
  const path = join(home, "session_index.jsonl")
  return withStorageErrors(path, "write", async () => {
    const text = (await statIfThere(fs, path)) ? await textOf(fs, path) : ""
    const named = text.split("\n").map((line) => (line.includes(id) ? parsedObject(line) : undefined))
    const last = named.filter((line) => line?.id === id).at(-1)
    if (last && textIn(last, "thread_name") === name) return
    const line = JSON.stringify({ id, thread_name: name, updated_at: new Date().toISOString() })
    const file = await fs.open(path, "a", FILE_MODE)
    try {
      const start = text === "" || text.endsWith("\n") ? "" : "\n"
      await writeWhole(file, new TextEncoder().encode(`${start}${line}\n`), null)
      await file.datasync()
    } finally {
      await file.close()
    }
  })
}

async function textOf(fs: FsPort, path: string): Promise<string> {
  const chunks: Buffer[] = []
  for await (const bytes of fileChunks(fs, path)) chunks.push(Buffer.from(bytes))
  return Buffer.concat(chunks).toString("utf8")
}

import { join } from "node:path"
import { parsedObject, textIn } from "@treelog-internal/agent-files"
import { textIfThere, withTemporary } from "@treelog-internal/agent-files/write"
import { FILE_MODE, type FsPort, statIfThere, withStorageErrors, writeWhole } from "@treelog-internal/fs"

const INDEX = "session_index.jsonl"

/**
 * Gives a thread a name, as Codex's own list reads it: by a line at the end of `session_index.jsonl`, in one write. Nothing where the thread has that
 * name.
 * @throws StorageError
 */
export function addTitle(fs: FsPort, home: string, id: string, name: string): Promise<void> {
  const path = join(home, INDEX)
  return withStorageErrors(path, "write", async () => {
    const text = (await textIfThere(fs, path)) ?? ""
    const last = text.split("\n").filter(isOf(id)).at(-1)
    if (last !== undefined && textIn(parsedObject(last) ?? {}, "thread_name") === name) return
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

/**
 * Removes the names of a thread, as Codex does when it deletes one: by a new file with the other lines. Nothing while the file grows.
 * @throws StorageError
 */
export function removeTitles(fs: FsPort, home: string, id: string): Promise<void> {
  const path = join(home, INDEX)
  return withStorageErrors(path, "write", async () => {
    const before = await statIfThere(fs, path)
    const lines = ((await textIfThere(fs, path)) ?? "").split("\n")
    const isOther = (line: string): boolean => !isOf(id)(line)
    if (!before || lines.every(isOther)) return
    await withTemporary(fs, home, lines.filter(isOther).join("\n"), async (temporary) => {
      if ((await statIfThere(fs, path))?.size === before.size) await fs.rename(temporary, path)
    })
  })
}

function isOf(id: string): (line: string) => boolean {
  return (line) => line.includes(id) && parsedObject(line)?.id === id
}

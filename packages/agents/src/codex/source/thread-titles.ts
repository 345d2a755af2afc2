import { join } from "node:path"
import { parseLine } from "@treelog/session-core/adapter"
import { OpenedFile, textIn } from "@treelog-internal/agent-files"
import { type FsPort, statIfThere, withStorageErrors } from "@treelog-internal/fs"
import type { StateTitles, ThreadTitle } from "./state-titles.js"

/**
 * The names of threads by id: of `session_index.jsonl`, where the last one of a thread counts, or of Codex's databases, unless a row is
 * older, as where an older version of Codex has named the thread since.
 */
export async function threadTitles(
  fs: FsPort,
  home: string,
  databases: readonly StateTitles[],
): Promise<ReadonlyMap<string, string>> {
  const known = await indexedTitles(fs, home)
  for (const database of databases)
    for (const [id, row] of await database.read()) {
      const other = known.get(id)
      if (!other || !(other.time > row.time)) known.set(id, row)
    }
  const titles = new Map<string, string>()
  for (const [id, { title }] of known) if (title !== undefined) titles.set(id, title)
  return titles
}

async function indexedTitles(fs: FsPort, home: string): Promise<Map<string, ThreadTitle>> {
  const titles = new Map<string, ThreadTitle>()
  const path = join(home, "session_index.jsonl")
  if (!(await withStorageErrors(path, "read", () => statIfThere(fs, path)))) return titles
  const file = new OpenedFile(fs, path)
  try {
    for (const line of file.lines())
      for (const { value } of parseLine(line).records) {
        const [id, title] = [textIn(value, "id"), textIn(value, "thread_name")?.trim()]
        // One of nothing but white space names nothing.
        if (id !== undefined && title) titles.set(id, { title, time: Date.parse(textIn(value, "updated_at") ?? "") })
      }
    return titles
  } finally {
    file.close()
  }
}

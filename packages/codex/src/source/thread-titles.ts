import { join } from "node:path"
import { linesOf, parseLine } from "@treelog/session-core/adapter"
import { type FsPort, statIfThere, withStorageErrors } from "@treelog-internal/fs"
import { textIn } from "../rollout/json.js"
import { rolloutBytes } from "./read-rollout.js"

/** The names of threads by id, from `session_index.jsonl`. The last one of a thread counts. */
export async function threadTitles(fs: FsPort, home: string): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>()
  const path = join(home, "session_index.jsonl")
  if (!(await withStorageErrors(path, "read", () => statIfThere(fs, path)))) return titles
  const pieces: Uint8Array[] = []
  for await (const piece of rolloutBytes(fs, path)) pieces.push(piece.slice())
  for (const line of linesOf(Buffer.concat(pieces)))
    for (const { value } of parseLine(line).records) {
      const [id, name] = [textIn(value, "id"), textIn(value, "thread_name")]
      if (id !== undefined && name !== undefined) titles.set(id, name)
    }
  return titles
}

import { dirname, join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import {
  discard,
  FILE_MODE,
  type FsPort,
  fileChunks,
  isSameFile,
  lstatIfThere,
  makeDurableFolder,
  placeNew,
  syncFolder,
  withStorageErrors,
  writeChunks,
} from "@treelog-internal/fs"
import { token } from "../digest.js"
import { isObject, parsedObject } from "../json.js"
import type { Receipt } from "./receipt.js"

// A copy is written to a temporary file beside its place, under a name that no agent lists, synced, and then gets its name: killed anywhere,
// there is no copy, the one that was there, or the complete one.

/** What the first line of a copy says of it, in a field `treelog`. */
export interface CopyMark {
  /** The agent of the source, such as `claude-code`. */
  readonly agent: string
  /** The id of the session that it is a copy of. */
  readonly session: string
  /** The entry that it ends with. */
  readonly leaf: string
  /** Bytes behind the first line, as treelog wrote them. What is behind them, the agent wrote. */
  readonly size: number
  readonly receipt: Receipt
}

/** What became of a file. `continued`: the agent went on in the copy. `other`: source and copy both went on, or the source is another one now. */
export type CopyStatus = "created" | "appended" | "unchanged" | "continued" | "other"

/**
 * Stores a copy, or what is new of it.
 * @param head the first line, which differs from that of an earlier copy by its receipt, without its end
 * @param body the lines behind it
 * @param dryRun whether to write nothing
 * @throws StorageError; SessionChangedError: the file was written meanwhile
 */
export function placeCopy(fs: FsPort, path: string, head: string, body: string, dryRun: boolean): Promise<CopyStatus> {
  return withStorageErrors(path, "write", async () => {
    const before = await lstatIfThere(fs, path)
    const there = before && (await textOf(fs, path))
    if (there !== undefined) {
      const at = there.indexOf("\n") + 1
      const known = there.slice(at)
      if (!markIn(there.slice(0, at))) return "other"
      if (known.startsWith(body)) return known === body ? "unchanged" : "continued"
      if (!body.startsWith(known)) return "other"
    }
    if (dryRun) return before ? "appended" : "created"
    const folder = dirname(path)
    await makeDurableFolder(fs, folder)
    const temporary = join(folder, `.treelog-${token()}.tmp`)
    try {
      const file = fs.openSync(temporary, "wx", FILE_MODE)
      try {
        await writeChunks(file, [new TextEncoder().encode(`${head}\n${body}`)])
        await file.sync()
      } finally {
        file.closeSync()
      }
      if (before) {
        const now = await lstatIfThere(fs, path)
        if (!now || !isSameFile(now, before) || now.size !== before.size) throw changed(path)
        await fs.rename(temporary, path)
      } else if (!placeNew(fs, temporary, path)) throw changed(path)
    } finally {
      discard(fs, temporary)
    }
    await syncFolder(fs, folder)
    return before ? "appended" : "created"
  })
}

/** The mark of a copy in its first line; undefined for what treelog has not written. */
export function markIn(line: string): CopyMark | undefined {
  const { treelog, payload } = parsedObject(line) ?? {}
  const mark = treelog ?? (isObject(payload) ? payload.treelog : undefined)
  return isObject(mark) && typeof mark.session === "string" && typeof mark.size === "number"
    ? (mark as unknown as CopyMark)
    : undefined
}

/**
 * Removes a copy that its agent did not go on with.
 * @returns false for what treelog has not written, or the agent went on with
 * @throws StorageError
 */
export function removeCopy(fs: FsPort, path: string): Promise<boolean> {
  return withStorageErrors(path, "remove", async () => {
    const text = await textOf(fs, path)
    const at = text.indexOf("\n") + 1
    const mark = markIn(text.slice(0, at))
    if (!mark || mark.size !== Buffer.byteLength(text.slice(at))) return false
    await fs.unlink(path)
    await syncFolder(fs, dirname(path))
    return true
  })
}

async function textOf(fs: FsPort, path: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const bytes of fileChunks(fs, path)) text += decoder.decode(bytes, { stream: true })
  return text + decoder.decode()
}

function changed(key: string): TreelogError<"SessionChangedError"> {
  const message = `The copy was written in the meantime: ${key}. Try again.`
  return new TreelogError("SessionChangedError", message, { key, change: "grown" })
}

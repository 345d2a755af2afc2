import { dirname } from "node:path"
import { TreelogError } from "@treelog/session-core"
import {
  type FsPort,
  fileChunks,
  isSameFile,
  lstatIfThere,
  placeNew,
  syncFolder,
  withStorageErrors,
} from "@treelog-internal/fs"
import { isObject, type Json, parsedObject } from "../json.js"
import type { Receipt } from "./receipt.js"
import { withTemporary } from "./small-files.js"

// A copy is written to a temporary file beside its place, under a name that no agent lists, synced, and then gets its name: killed anywhere,
// there is no copy, the one that was there, or the complete one.

/** What the first line of a copy says of it, in a field `treelog`. */
export interface CopyMark {
  /** The agent of the source, such as `claude-code`. */
  readonly agent: string
  /** The id of the session that it is a copy of. */
  readonly session: string
  /** The entry that it ends with. */
  readonly leaf: string | null
  /** How many lines say what the copy is, and not what was said. */
  readonly head: number
  /** Bytes behind those lines, as treelog wrote them. What is behind them, the agent wrote. */
  readonly size: number
  readonly receipt: Receipt
}

/** What became of a file. `continued`: the agent went on in the copy. `other`: source and copy both went on, or the source is another one now. */
export type CopyStatus = "created" | "appended" | "unchanged" | "continued" | "other"

export interface NewCopy {
  /** The first lines, which differ from those of an earlier copy by its receipt. */
  readonly head: readonly Json[]
  /** The lines behind them. */
  readonly body: readonly Json[]
  /** Whether the source has the entry that an earlier copy ends with, so that it has only grown since. */
  readonly has: (leaf: string | null) => boolean
  /** Whether to write nothing. */
  readonly dryRun: boolean
}

/**
 * Stores a copy, or what is new of it. One in which its agent wrote nothing may end otherwise now: what was cut off in a turn has its answer.
 * @throws StorageError; SessionChangedError: the file was written meanwhile
 */
export function placeCopy(fs: FsPort, path: string, { head, body: lines, has, dryRun }: NewCopy): Promise<CopyStatus> {
  const body = linesOf(lines)
  return withStorageErrors(path, "write", async () => {
    const before = await lstatIfThere(fs, path)
    const there = before && (await textOf(fs, path))
    if (there !== undefined) {
      const copy = partsOf(there)
      if (copy === undefined) return "other"
      const { mark, body: known } = copy
      if (known.startsWith(body)) return known === body ? "unchanged" : "continued"
      const isUntouched = mark.size === Buffer.byteLength(known) && has(mark.leaf)
      if (!body.startsWith(known) && !isUntouched) return "other"
    }
    if (dryRun) return before ? "appended" : "created"
    await withTemporary(fs, dirname(path), linesOf(head) + body, async (temporary) => {
      if (!before) {
        if (!placeNew(fs, temporary, path)) throw changed(path)
        return
      }
      const now = await lstatIfThere(fs, path)
      if (!now || !isSameFile(now, before) || now.size !== before.size) throw changed(path)
      await fs.rename(temporary, path)
    })
    return before ? "appended" : "created"
  })
}

export function linesOf(lines: readonly Json[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("")
}

/** The mark of a copy, and what is behind its head; undefined for what treelog has not written. */
function partsOf(text: string): { readonly mark: CopyMark; readonly body: string } | undefined {
  let at = text.indexOf("\n") + 1
  const mark = markIn(text.slice(0, at))
  for (let lines = 1; mark && lines < mark.head; lines++) at = text.indexOf("\n", at) + 1
  return mark && { mark, body: text.slice(at) }
}

function markIn(line: string): CopyMark | undefined {
  const { treelog, payload } = parsedObject(line) ?? {}
  const mark = treelog ?? (isObject(payload) ? payload.treelog : undefined)
  return isObject(mark) &&
    typeof mark.session === "string" &&
    typeof mark.size === "number" &&
    typeof mark.head === "number"
    ? (mark as unknown as CopyMark)
    : undefined
}

/**
 * Removes a copy that its agent did not go on with.
 * @param dryRun whether to write nothing, and say only whether it would go
 * @returns false for what treelog has not written, or the agent went on with
 * @throws StorageError
 */
export function removeCopy(fs: FsPort, path: string, dryRun = false): Promise<boolean> {
  return withStorageErrors(path, "remove", async () => {
    const { mark, body = "" } = partsOf(await textOf(fs, path)) ?? {}
    if (mark?.size !== Buffer.byteLength(body)) return false
    if (dryRun) return true
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

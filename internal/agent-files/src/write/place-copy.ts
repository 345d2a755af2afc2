import { dirname, join, sep } from "node:path"
import { TreelogError } from "@treelog/session-core"
import {
  type FileStat,
  type FsPort,
  fileChunks,
  isSameFile,
  lstatIfThere,
  placeNew,
  syncFolder,
  withStorageErrors,
} from "@treelog-internal/fs"
import { isObject, type Json, parsedObject } from "../json.js"
import type { CopyLines, CopyPart } from "./copy-source.js"
import type { Receipt } from "./receipt.js"
import { withTemporary } from "./small-files.js"

// A file of a copy is written to a temporary file beside its place, under a name that no agent lists, synced, and then gets its name. The file that the agent
// lists is the last: killed anywhere, there is no copy, the one that was there, or the complete one.

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
  /** Not in the transcripts of sub-agents. */
  readonly receipt?: Receipt
  /** The transcripts of sub-agents, from the folder of the copy. */
  readonly parts?: readonly string[]
}

/** What became of a file. `continued`: the agent went on in the copy. `other`: source and copy both went on, or the source is another one now. */
export type CopyStatus = "created" | "appended" | "unchanged" | "continued" | "other"

export interface NewCopy extends CopyLines {
  /** The transcripts of its sub-agents. */
  readonly parts: readonly CopyPart[]
  /** Whether the source has the entry that an earlier copy ends with, so that it has only grown since. */
  readonly has: (leaf: string | null) => boolean
  /** Whether to write nothing. */
  readonly dryRun: boolean
}

/**
 * The lines of a file, with what says that it is a copy of treelog's.
 * @param marked puts a mark into a first line
 */
export function withMark<Lines extends CopyLines>(
  file: Lines,
  mark: Omit<CopyMark, "head" | "size">,
  marked: (head: Json, mark: Json) => Json,
): Lines {
  const [first, ...more] = file.head
  const own: CopyMark = { ...mark, head: file.head.length, size: Buffer.byteLength(linesOf(file.body)) }
  return { ...file, head: [marked(first, { ...own }), ...more] }
}

/**
 * Stores a copy, or what is new of it. One in which its agent wrote nothing may end otherwise now: what was cut off in a turn has its answer.
 * @throws StorageError; SessionChangedError: a file was written meanwhile
 */
export function placeCopy(fs: FsPort, path: string, copy: NewCopy): Promise<CopyStatus> {
  return withStorageErrors(path, "write", async () => {
    const main = await planned(fs, path, copy, copy)
    if (main.status === "other" || main.status === "continued") return main.status
    const files = [main]
    for (const part of copy.parts) files.unshift(await planned(fs, join(dirname(path), part.path), part, copy))
    if (files.some(({ status }) => status === "other")) return "other"
    const isNew = files.filter(({ status }) => status === "created" || status === "appended")
    if (!copy.dryRun) for (const file of isNew) await placeFile(fs, file)
    return main.status === "unchanged" && isNew.length > 0 ? "appended" : main.status
  })
}

/** A file of a copy, and what is to become of it. */
interface PlannedFile {
  readonly path: string
  readonly lines: CopyLines
  readonly status: CopyStatus
  /** The one that is there. */
  readonly before: FileStat | undefined
}

async function planned(fs: FsPort, path: string, lines: CopyLines, { has, parts }: NewCopy): Promise<PlannedFile> {
  const before = await lstatIfThere(fs, path)
  const file = { path, lines, before }
  if (!before) return { ...file, status: "created" }
  const copy = partsOf(await textOf(fs, path))
  if (!copy) return { ...file, status: "other" }
  const { mark, body: known } = copy
  const body = linesOf(lines.body)
  if (known.startsWith(body)) return { ...file, status: known === body ? "unchanged" : "continued" }
  const isUntouched = mark.size === Buffer.byteLength(known) && has(mark.leaf)
  // Its transcripts would stand there without it.
  if (mark.parts?.some((name) => !parts.some((part) => part.path === name))) return { ...file, status: "other" }
  return { ...file, status: body.startsWith(known) || isUntouched ? "appended" : "other" }
}

function placeFile(fs: FsPort, { path, lines: { head, body }, before }: PlannedFile): Promise<void> {
  return withTemporary(fs, dirname(path), linesOf(head) + linesOf(body), async (temporary) => {
    if (!before) {
      if (!placeNew(fs, temporary, path)) throw changed(path)
      return
    }
    const now = await lstatIfThere(fs, path)
    if (!now || !isSameFile(now, before) || now.size !== before.size) throw changed(path)
    await fs.rename(temporary, path)
  })
}

function linesOf(lines: readonly Json[]): string {
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
 * Removes a copy that its agent did not go on with, after the transcripts of its sub-agents.
 * @param dryRun whether to write nothing, and say only whether it would go
 * @returns false for what treelog has not written, or the agent went on with
 * @throws StorageError
 */
export function removeCopy(fs: FsPort, path: string, dryRun = false): Promise<boolean> {
  return withStorageErrors(path, "remove", async () => {
    const mark = await untouchedMark(fs, path)
    if (!mark) return false
    const files: string[] = []
    for (const name of mark.parts ?? []) {
      const part = join(dirname(path), name)
      if (!(await lstatIfThere(fs, part))) continue
      if (!(await untouchedMark(fs, part))) return false
      files.push(part)
    }
    if (dryRun) return true
    for (const file of [...files, path]) {
      await fs.unlink(file)
      await syncFolder(fs, dirname(file))
      await removeEmptyFolders(fs, dirname(file), dirname(path))
    }
    return true
  })
}

/** Removes a folder, and those that it is in, where they are empty and the copy is in none of them. */
async function removeEmptyFolders(fs: FsPort, folder: string, folderOfCopy: string): Promise<void> {
  if (`${folderOfCopy}${sep}`.startsWith(`${folder}${sep}`) || (await fs.readdir(folder)).length > 0) return
  await fs.rmdir(folder)
  await removeEmptyFolders(fs, dirname(folder), folderOfCopy)
}

/** What a file says of the copy that it is; undefined for what treelog has not written, or the agent went on with. */
async function untouchedMark(fs: FsPort, path: string): Promise<CopyMark | undefined> {
  const copy = partsOf(await textOf(fs, path))
  return copy?.mark.size === Buffer.byteLength(copy?.body ?? "") ? copy?.mark : undefined
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

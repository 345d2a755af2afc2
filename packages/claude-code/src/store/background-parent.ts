import { basename, dirname, join } from "node:path"
import { textIn } from "@treelog-internal/agent-files"
import { type FsPort, isStorageFault } from "@treelog-internal/fs"
import { EndLines } from "../facts/end-lines.js"
import { headOfFile } from "./file-bytes.js"

/** So much of the start of a session is read. Bytes. */
const HEAD = 64 * 1024
const SUFFIX = ".jsonl"

/**
 * The session that one in the background was made from. Claude Code copies its lines, and does not say whose they were: it is the session
 * beside it that has the first of them. Undefined for other sessions, and where it is gone.
 */
export async function backgroundParent(fs: FsPort, path: string, bytes: Uint8Array): Promise<string | undefined> {
  const uuid = firstBackgroundUuid(bytes)
  if (uuid === undefined) return undefined
  const folder = dirname(path)
  const names = (await fs.readdir(folder)).map(({ name }) => name).sort()
  for (const name of names) {
    if (name === basename(path) || !name.endsWith(SUFFIX)) continue
    if (isOriginal(fs, join(folder, name), uuid)) return basename(name, SUFFIX)
  }
  return undefined
}

function firstBackgroundUuid(bytes: Uint8Array): string | undefined {
  for (const { value } of new EndLines(bytes.subarray(0, HEAD), new Uint8Array()).fromStart()) {
    const uuid = textIn(value, "uuid")
    if (uuid !== undefined) return value.sessionKind === "bg" ? uuid : undefined
  }
  return undefined
}

function isOriginal(fs: FsPort, path: string, uuid: string): boolean {
  try {
    const lines = new EndLines(headOfFile(fs, path, HEAD), new Uint8Array())
    if (!lines.hasUuid(uuid)) return false
    for (const { value } of lines.fromStart()) if (value.uuid === uuid) return value.sessionKind !== "bg"
    return false
  } catch (error) {
    // What cannot be read is listed with its error, and is no reason not to read this one.
    if (isStorageFault(error)) return false
    throw error
  }
}

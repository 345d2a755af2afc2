import { basename, dirname, join } from "node:path"
import { type FsPort, isStorageFault } from "@treelog-internal/fs"
import { EndLines } from "../facts/end-lines.js"
import { stringOf } from "../json-values.js"
import type { ByteSource } from "../source/byte-source.js"
import { FileBytes } from "./file-bytes.js"

/** So much of the start of a session is read. Bytes. */
const HEAD = 64 * 1024
const SUFFIX = ".jsonl"

/**
 * The session that one in the background was made from. Claude Code copies its lines, and does not say whose they were: it is the session
 * beside it that has the first of them. Undefined for other sessions, and where it is gone.
 */
export async function backgroundParent(fs: FsPort, path: string, source: ByteSource): Promise<string | undefined> {
  const uuid = firstBackgroundUuid(source)
  if (uuid === undefined) return undefined
  const folder = dirname(path)
  const names = (await fs.readdir(folder)).map(({ name }) => name).sort()
  for (const name of names) {
    if (name === basename(path) || !name.endsWith(SUFFIX)) continue
    if (isOriginal(fs, join(folder, name), uuid)) return basename(name, SUFFIX)
  }
  return undefined
}

function firstBackgroundUuid(source: ByteSource): string | undefined {
  const head = source.read(0, HEAD)
  for (const { value } of new EndLines(head, new Uint8Array()).fromStart())
    if (stringOf(value.uuid) !== undefined) return value.sessionKind === "bg" ? stringOf(value.uuid) : undefined
  return undefined
}

function isOriginal(fs: FsPort, path: string, uuid: string): boolean {
  try {
    const lines = new EndLines(new FileBytes(fs, path, HEAD).read(0, HEAD), new Uint8Array())
    if (!lines.hasUuid(uuid)) return false
    for (const { value } of lines.fromStart()) if (value.uuid === uuid) return value.sessionKind !== "bg"
    return false
  } catch (error) {
    // What cannot be read is listed with its error, and is no reason not to read this one.
    if (isStorageFault(error)) return false
    throw error
  }
}

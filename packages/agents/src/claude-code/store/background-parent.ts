import { basename, dirname, join } from "node:path"
import { isMoved } from "@treelog-internal/agent-files"
import { type FsPort, isStorageFault } from "@treelog-internal/fs"
import { SourceIndex } from "../source/source-index.js"
import { headOfFile } from "./beside-files.js"

const SUFFIX = ".jsonl"

/**
 * The session that one in the background was made from. Claude Code copies its lines, and does not say whose they were: it is the session
 * beside it that has the first of them. Undefined for other sessions, and where it is gone.
 * @param head the first bytes of the file
 */
export async function backgroundParent(fs: FsPort, path: string, head: Buffer): Promise<string | undefined> {
  if (!head.includes('"bg"')) return undefined
  const first = SourceIndex.of(head).records.find((record) => record.uuid !== undefined)
  if (first?.uuid === undefined || first.value.sessionKind !== "bg") return undefined
  const folder = dirname(path)
  const names = (await fs.readdir(folder)).map(({ name }) => name).sort()
  const found = names.find(
    (name) => name !== basename(path) && name.endsWith(SUFFIX) && isOriginal(fs, join(folder, name), first.uuid ?? ""),
  )
  return found && basename(found, SUFFIX)
}

function isOriginal(fs: FsPort, path: string, uuid: string): boolean {
  try {
    const head = headOfFile(fs, path)
    if (!head.includes(uuid)) return false
    const record = SourceIndex.of(head).records.find((one) => one.uuid === uuid)
    return record !== undefined && record.value.sessionKind !== "bg"
  } catch (error) {
    // What cannot be read is listed with its error, and is no reason not to read this one.
    if (isStorageFault(error) || isMoved(error)) return false
    throw error
  }
}

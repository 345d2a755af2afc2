import type { FolderEntry, FsPort } from "./fs-port.js"
import { quickEntries, quickNames, quickOpendir } from "./quick-fs.js"
import { SESSION_SUFFIX } from "./session-name.js"
import { errnoOf } from "./storage-error.js"

/** So many entries are held of a large folder. */
const AT_ONCE = 64
/** So many names are handed on at a time. */
const LOOKED_AT = 256

/** What is in a folder, some entries at a time: a step for each would cost as much as to find it. */
export function folderEntries(fs: FsPort, path: string): AsyncIterable<readonly FolderEntry[]> {
  return fs.opendir === quickOpendir ? quickEntries(path) : inPieces(fs, path)
}

/** Whether it may be a session, as far as its name tells. */
export function isSession(entry: FolderEntry): boolean {
  return entry.name.endsWith(SESSION_SUFFIX) && !entry.isDirectory()
}

/** The names in a folder that sessions have, some at a time; among them may be folders. */
export async function* sessionNames(fs: FsPort, path: string): AsyncGenerator<readonly string[]> {
  const names = fs.opendir === quickOpendir ? await quickNames(path).catch(ignoreErrno) : undefined
  if (!names)
    for await (const entries of folderEntries(fs, path)) yield entries.filter(isSession).map(({ name }) => name)
  else for (let at = 0; at < names.length; at += LOOKED_AT) yield names.slice(at, at + LOOKED_AT).filter(isSessionName)
}

function isSessionName(name: string): boolean {
  return name.endsWith(SESSION_SUFFIX)
}

/** What fails half way is read again, step by step, for what there is before the failure. */
function ignoreErrno(error: unknown): undefined {
  if (errnoOf(error) === undefined) throw error
}

/** What was found before a failure is given first. */
async function* inPieces(fs: FsPort, path: string): AsyncGenerator<readonly FolderEntry[]> {
  let entries: FolderEntry[] = []
  try {
    for await (const entry of await fs.opendir(path)) {
      entries.push(entry)
      if (entries.length < AT_ONCE) continue
      const full = entries
      entries = []
      yield full
    }
  } catch (error) {
    if (entries.length > 0) yield entries
    throw error
  }
  if (entries.length > 0) yield entries
}

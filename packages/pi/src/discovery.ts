import { readdirSync } from "node:fs"
import { join } from "node:path"
import { isTreelogError, type SessionHeader } from "@treelog/session-core"
import { LogReader, linesOf, type StorageStat, textOfBytes } from "@treelog/session-core/adapter"
import type { FileSessionStorage } from "@treelog/storage-fs"
import { isFolder, resolvedPath } from "./places.js"

const HEAD = 4096
/** A header is not looked for beyond this, as in pi 1.x. Bytes. */
const LONGEST_HEAD = 1 << 20

/** Where sessions are looked for. */
interface Folder {
  readonly dir: string
  readonly storage: FileSessionStorage
}

interface FoundFile {
  readonly path: string
  readonly stat: StorageStat
}

/** The file that was changed last, of those that hold a session (of the folder, where one is given). */
export function mostRecentFile(folder: Folder, cwd?: string): string | undefined {
  const files = sessionFiles(folder).sort((a, b) => b.stat.modified - a.stat.modified)
  return files.find((file) => isOf(headerOf(folder, file), cwd))?.path
}

/** The file of the session with exactly this id. */
export function fileOfId(folder: Folder, id: string, cwd?: string): string | undefined {
  return sessionFiles(folder).find((file) => {
    const header = headerOf(folder, file)
    return header?.id === id && isOf(header, cwd)
  })?.path
}

function isOf(header: SessionHeader | undefined, cwd: string | undefined): boolean {
  if (!header) return false
  return cwd === undefined || isFolder(header.cwd, resolvedPath(cwd))
}

function sessionFiles({ dir, storage }: Folder): FoundFile[] {
  return fileNamesIn(dir).flatMap((name) => {
    if (!name.endsWith(".jsonl")) return []
    const path = join(dir, name)
    const stat = unlessUnusable(() => storage.statSync(path))
    return stat ? [{ path, stat }] : []
  })
}

/** None where there is no such folder, or it cannot be read: pi's own functions have it so. */
function fileNamesIn(dir: string): string[] {
  try {
    return readdirSync(dir, "buffer").map(textOfBytes)
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error
    return []
  }
}

/** Undefined for what cannot be read, and for what is not a session. */
function headerOf({ storage }: Folder, { path, stat }: FoundFile): SessionHeader | undefined {
  return unlessUnusable(() => {
    const ranges = storage.openRangesSync(path, stat.identity)
    try {
      for (let length = HEAD; length <= LONGEST_HEAD; length *= 16) {
        const bytes = ranges.read(0, length)
        const isWhole = bytes.length < length
        const reader = new LogReader(path)
        for (const line of linesOf(bytes)) {
          if (!line.terminated && !isWhole) break
          reader.push(line)
          if (reader.header) return reader.header
        }
        if (isWhole) return undefined
      }
      return undefined
    } finally {
      ranges.close()
    }
  })
}

/** Undefined for what is gone or no session, and for a link that leads nowhere or to itself: the others are found anyway. */
function unlessUnusable<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (!isTreelogError(error)) throw error
    return undefined
  }
}

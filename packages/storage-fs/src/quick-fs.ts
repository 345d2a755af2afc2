import {
  constants,
  type Dir,
  type Dirent,
  open as openByCallback,
  opendirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs"
import { open, opendir, readdir, readFile, stat } from "node:fs/promises"
import { promisify } from "node:util"
import type { BigInts, FileStat, FolderEntry, OpenFile } from "./fs-port.js"
import { QuickCalls } from "./quick-calls.js"
import { QuickFile } from "./quick-file.js"

const calls = new QuickCalls()

/** What `stat` of `node:fs/promises` does, quicker where the system knows the file already. */
export function quickStat(path: string, options: BigInts): Promise<FileStat> {
  return calls.call(
    () => statSync(path, options),
    () => stat(path, options),
  )
}

const descriptor = promisify(openByCallback) as (path: string, flags: string | number) => Promise<number>
const MAKING = constants.O_CREAT | constants.O_TRUNC

/** What `open` of `node:fs/promises` does, quicker for a file that is there, and that the system knows already. */
export async function quickOpen(path: string, flags: string | number, mode?: number): Promise<OpenFile> {
  const isThere = typeof flags === "string" ? flags === "r" : (flags & MAKING) === 0
  if (!isThere) return open(path, flags, mode)
  const fd = await calls.call(
    () => openSync(path, flags),
    () => descriptor(path, flags),
  )
  return new QuickFile(fd, calls)
}

/** How many names are held of a large folder. */
const NAMES = 256
/** Milliseconds for so many. */
const SLOW_NAMES = 4

/** What `opendir` of `node:fs/promises` does, quicker where the system knows the folder already. */
export async function quickOpendir(path: string): Promise<OpenFolder> {
  const folder = await opened(path)
  return { [Symbol.asyncIterator]: () => eachOf(entriesOf(folder)), close: () => folder.close() }
}

/** The same, some at a time. What was found before a failure is given first. */
export async function* quickEntries(path: string): AsyncGenerator<readonly FolderEntry[]> {
  yield* entriesOf(await opened(path))
}

/** Walking through it closes it; one that is not walked through has to be closed. */
interface OpenFolder extends AsyncIterable<FolderEntry> {
  close(): Promise<void>
}

function opened(path: string): Promise<Dir> {
  const options = { bufferSize: NAMES }
  return calls.call(
    () => opendirSync(path, options),
    () => opendir(path, options),
  )
}

async function* eachOf(pieces: AsyncIterable<readonly FolderEntry[]>): AsyncGenerator<FolderEntry> {
  for await (const entries of pieces) yield* entries
}

async function* entriesOf(folder: Dir): AsyncGenerator<readonly Dirent[]> {
  try {
    for (;;) {
      const entries: Dirent[] = []
      const [taken] = await Promise.allSettled([
        calls.call(
          () => takeSync(folder, entries),
          () => take(folder, entries),
          SLOW_NAMES,
        ),
      ])
      if (entries.length > 0) yield entries
      if (taken.status === "rejected") throw taken.reason
      if (entries.length < NAMES) return
    }
  } finally {
    folder.closeSync()
  }
}

function takeSync(folder: Dir, entries: Dirent[]): void {
  for (let entry = folder.readSync(); entry; entry = entries.length < NAMES ? folder.readSync() : null)
    entries.push(entry)
}

async function take(folder: Dir, entries: Dirent[]): Promise<void> {
  for (let entry = await folder.read(); entry; entry = entries.length < NAMES ? await folder.read() : null)
    entries.push(entry)
}

/** Milliseconds for a whole file of a few hundred kilobytes. */
const SLOW_FILE = 2

/** Reads a whole file. */
export function quickReadFile(path: string): Promise<Buffer> {
  return calls.call(
    () => readFileSync(path),
    () => readFile(path),
    SLOW_FILE,
  )
}

/** The names of what is in a folder: all at once, which takes half as long as with what each of them is. */
export function quickNames(path: string): Promise<string[]> {
  return calls.call(
    () => readdirSync(path),
    () => readdir(path),
    SLOW_NAMES,
  )
}

/** What the system says of a file, or why it says nothing. Undefined where there is none. */
export type StatOutcome = FileStat | Error | undefined

/** Looks at files, so many at once as the system answers at once. */
export function quickStats(paths: readonly string[]): Promise<StatOutcome[]> {
  return calls.all(paths, statNow, statLater)
}

const IF_THERE = { bigint: true, throwIfNoEntry: false } as const

function statNow(path: string): StatOutcome {
  try {
    return statSync(path, IF_THERE)
  } catch (error) {
    return asError(error)
  }
}

function statLater(path: string): Promise<StatOutcome> {
  return stat(path, { bigint: true }).catch(asError)
}

function asError(error: unknown): Error {
  if (error instanceof Error) return error
  throw error
}

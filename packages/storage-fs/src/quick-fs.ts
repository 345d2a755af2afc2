import { constants, type Dir, type Dirent, open as openByCallback, opendirSync, openSync, statSync } from "node:fs"
import { open, opendir, stat } from "node:fs/promises"
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
const WRITING = constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND

/** What `open` of `node:fs/promises` does, quicker for reading where the system knows the file already. */
export async function quickOpen(path: string, flags: string | number, mode?: number): Promise<OpenFile> {
  const isToRead = typeof flags === "string" ? flags === "r" : (flags & WRITING) === 0
  if (!isToRead) return open(path, flags, mode)
  const fd = await calls.call(
    () => openSync(path, flags),
    () => descriptor(path, flags),
  )
  return new QuickFile(fd, calls)
}

/** How many names are held of a large folder. */
const NAMES = 256

/** What `opendir` of `node:fs/promises` does, quicker where the system knows the folder already. */
export async function quickOpendir(path: string): Promise<OpenFolder> {
  const options = { bufferSize: NAMES }
  const folder = await calls.call(
    () => opendirSync(path, options),
    () => opendir(path, options),
  )
  return { [Symbol.asyncIterator]: () => entriesOf(folder), close: () => folder.close() }
}

/** Walking through it closes it; one that is not walked through has to be closed. */
interface OpenFolder extends AsyncIterable<FolderEntry> {
  close(): Promise<void>
}

async function* entriesOf(folder: Dir): AsyncGenerator<Dirent> {
  try {
    for (;;) {
      const entries: Dirent[] = []
      await calls.call(
        () => takeSync(folder, entries),
        () => take(folder, entries),
      )
      yield* entries
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

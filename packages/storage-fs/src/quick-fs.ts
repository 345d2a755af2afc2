import { type Dir, type Dirent, opendirSync, statSync } from "node:fs"
import { opendir, stat } from "node:fs/promises"
import type { BigInts, FileStat, FolderEntry } from "./fs-port.js"
import { QuickCalls } from "./quick-calls.js"

const calls = new QuickCalls()

/** What `stat` of `node:fs/promises` does, quicker where the system knows the file already. */
export function quickStat(path: string, options: BigInts): Promise<FileStat> {
  return calls.call(
    () => statSync(path, options),
    () => stat(path, options),
  )
}

/** How many names are held of a large folder. */
const NAMES = 256

/** What `opendir` of `node:fs/promises` does, quicker where the system knows the folder already. */
export async function quickOpendir(path: string): Promise<AsyncIterable<FolderEntry>> {
  const options = { bufferSize: NAMES }
  return entriesOf(
    await calls.call(
      () => opendirSync(path, options),
      () => opendir(path, options),
    ),
  )
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

import { basename, dirname } from "node:path"
import { storedStat } from "./file-identity.js"
import type { FsPort } from "./fs-port.js"
import { pause } from "./pause.js"
import { errnoOf } from "./storage-error.js"

// Events get lost: on network file systems, when the folder is made later, when the system has no watch left to give.
const CHECK_EVERY_MS = 1000

/**
 * Yields at the start, and whenever the file became another, or one of another size or time. The system's events only
 * say when to stat it; the file is checked each second as well.
 * @param besides the state of what else is watched: also yields when that changes
 */
export async function* watchFile(
  fs: FsPort,
  path: string,
  signal: AbortSignal,
  besides?: () => Promise<string>,
): AsyncGenerator<void> {
  let woken = new AbortController()
  const wake = () => woken.abort()
  const stop = listen(fs, path, wake)
  signal.addEventListener("abort", wake)
  try {
    for (let seen: string | undefined; !signal.aborted; ) {
      woken = new AbortController()
      const state = `${await fileState(fs, path)} ${await besides?.()}`
      if (state === seen) await pause(CHECK_EVERY_MS, woken.signal)
      else {
        seen = state
        yield
      }
    }
  } finally {
    signal.removeEventListener("abort", wake)
    stop()
  }
}

async function fileState(fs: FsPort, path: string): Promise<string> {
  try {
    const { size, modified, identity } = storedStat(await fs.stat(path, { bigint: true }))
    return `${identity} ${size} ${modified}`
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === undefined) throw error
    return errno
  }
}

/** Listens until the returned function is called. Where the system cannot, there are no events. */
function listen(fs: FsPort, path: string, onChange: () => void): () => void {
  try {
    // A program that made a file under a temporary name, and still has it open, is reported under that one: this name, and more behind it.
    const watcher = fs.watch(dirname(path), { persistent: false }, (_, name) => {
      if (name?.startsWith(basename(path)) ?? true) onChange()
    })
    watcher.on("error", () => watcher.close())
    return () => watcher.close()
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return () => {}
  }
}

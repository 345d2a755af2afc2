import { type RepairReport, TreelogError } from "@treelog/session-core"
import { nodeFs } from "@treelog/storage-fs"

/**
 * Writes the list of changes beside the backup that a repair left, and returns its path.
 * @throws StorageError
 */
export async function writeChanges({ path, backup, changes }: RepairReport & { backup: string }): Promise<string> {
  const text = `${JSON.stringify({ v: 1, path, backup, changes }, null, 2)}\n`
  for (let number = 1; ; number++) {
    const name = `${backup}.changes${number === 1 ? "" : `.${number}`}.json`
    try {
      await writeNew(name, text)
      return name
    } catch (cause) {
      const errno = cause instanceof Error && "code" in cause ? String(cause.code) : undefined
      if (errno === undefined) throw cause
      if (errno === "EEXIST") continue
      const message = `The session was repaired, with a backup in ${backup}. The list of changes could not be written to ${name}: ${errno}.`
      throw new TreelogError("StorageError", message, { key: name, operation: "write", errno }, { cause })
    }
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  const file = await nodeFs.open(path, "wx", 0o600)
  try {
    for (let done = 0; done < bytes.length; )
      done += (await file.write(bytes, done, bytes.length - done, null)).bytesWritten
    await file.sync()
  } finally {
    await file.close()
  }
}

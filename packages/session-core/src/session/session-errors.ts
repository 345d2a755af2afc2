import { CURRENT_VERSION, type SessionHeader } from "../entry/entry.js"
import { valueText } from "../entry/values.js"
import { TreelogError } from "../errors.js"
import type { SessionLog } from "../log/session-log.js"

/** @param ref what the caller named the session by. Default: its key */
export function noSessionAt(key: string, ref = key): TreelogError<"SessionNotFoundError"> {
  return new TreelogError("SessionNotFoundError", `There is no session at ${key}.`, { ref })
}

export function unknownEntry({ id: session }: SessionHeader, id: string): TreelogError<"EntryNotFoundError"> {
  const message = `No entry of session ${session} has the id ${JSON.stringify(id)}. getEntries() and getTree() list them.`
  return new TreelogError("EntryNotFoundError", message, { id, session })
}

/** @throws InvalidArgumentError */
export function assertFolder(cwd: unknown): void {
  if (typeof cwd === "string") return
  const message = `cwd is ${valueText(cwd)}: name a folder, such as process.cwd().`
  throw new TreelogError("InvalidArgumentError", message, { argument: "cwd", value: cwd })
}

/** @throws UnsupportedVersionError when the log may not be written, nor copied into something that is written */
export function assertSupported(log: Pick<SessionLog, "header" | "version">, key: string): void {
  if (log.version === "unsupported") throw unsupportedError(log, key)
}

export function unsupportedError({ header }: Pick<SessionLog, "header">, key: string): TreelogError {
  const { version } = header
  const message = `${key} has version ${valueText(version)}; this release writes up to ${CURRENT_VERSION}. It can be read; it was not touched.`
  return new TreelogError("UnsupportedVersionError", message, { key, version })
}

/** @param reason why what is to be written has to wait */
export function refuseSync(key: string, reason: string): never {
  const message = `${key} cannot be written without promises now: ${reason}.`
  throw new TreelogError("StorageError", message, { key, operation: "flushSync", errno: undefined })
}

import { CURRENT_VERSION } from "../entry/entry.js"
import { valueText } from "../entry/values.js"
import { TreelogError } from "../errors.js"
import type { SessionLog } from "../log/session-log.js"

/** @param ref what the caller named the session by. Default: its key */
export function noSessionAt(key: string, ref = key): TreelogError<"SessionNotFoundError"> {
  return new TreelogError("SessionNotFoundError", `There is no session at ${key}.`, { ref })
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

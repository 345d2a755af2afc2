import { CURRENT_VERSION } from "../entry/header.js"
import { valueText } from "../entry/value-text.js"
import { TreelogError } from "../errors.js"
import type { SessionLog } from "../log/session-log.js"

/** @throws UnsupportedVersionError when the log may not be written, nor copied into something that is written */
export function assertSupported(log: Pick<SessionLog, "header" | "version">, key: string): void {
  if (log.version === "unsupported") throw unsupportedError(log, key)
}

export function unsupportedError({ header }: Pick<SessionLog, "header">, key: string): TreelogError {
  const { version } = header
  const message = `${key} has version ${valueText(version)}; this release writes up to ${CURRENT_VERSION}. It can be read; it was not touched.`
  return new TreelogError("UnsupportedVersionError", message, { key, version })
}

import type { SessionHeader } from "../entry/header.js"
import type { LogRecord } from "../log/parse-line.js"

/** The content of a session at one version. */
export interface VersionedRecords {
  readonly header: SessionHeader
  readonly records: readonly LogRecord[]
}

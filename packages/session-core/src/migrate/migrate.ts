import type { Diagnostic } from "../entry/diagnostic.js"
import { CURRENT_VERSION } from "../entry/header.js"
import type { SessionLog } from "../log/session-log.js"
import { migrationIds } from "./migration-ids.js"
import { v1ToV2 } from "./v1-to-v2.js"
import { v2ToV3 } from "./v2-to-v3.js"
import type { VersionedRecords } from "./versioned-records.js"

/** Report of a migration. */
export interface MigrationReport {
  readonly from: number
  readonly to: number
  /** The version steps, each with the number of changed entries. */
  readonly steps: readonly { readonly from: number; readonly to: number; readonly changed: number }[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Records of the current version, with a report of the migration. */
export interface Migrated extends VersionedRecords {
  /** Undefined when the session was up to date. */
  readonly report: MigrationReport | undefined
}

/**
 * Migrates a session's records to the current version (FORMAT.md, section 3). Pure: changed records are new objects, others are the
 * same ones. Records of an unsupported version are returned unchanged.
 *
 * The entry ids of a v1 session are a function of the session id and the position, so that every reading of the same file, and the
 * migration that is finally written, give the same ids.
 */
export function migrate({ header, records, version }: Pick<SessionLog, "header" | "records" | "version">): Migrated {
  if (version === "unsupported" || version === CURRENT_VERSION) return { header, records, report: undefined }
  const steps: { from: number; to: number; changed: number }[] = []
  const diagnostics: Diagnostic[] = []
  let now: VersionedRecords = { header, records }
  const run = (from: number, result: VersionedRecords & { diagnostics: readonly Diagnostic[] }): void => {
    const changed = result.records.filter((record, index) => record !== now.records[index]).length
    steps.push({ from, to: from + 1, changed })
    diagnostics.push(...result.diagnostics)
    now = result
  }
  if (version < 2) run(1, v1ToV2(now, migrationIds(header.id)))
  run(2, v2ToV3(now))
  return { ...now, report: { from: version, to: CURRENT_VERSION, steps, diagnostics } }
}

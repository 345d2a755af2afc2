import type { Diagnostic } from "../entry/diagnostic.js"
import { CURRENT_VERSION } from "../entry/header.js"
import type { SessionLog } from "../log/session-log.js"
import { migrationIds } from "./migration-ids.js"
import { v1ToV2 } from "./v1-to-v2.js"
import { v2ToV3 } from "./v2-to-v3.js"
import type { VersionedRecords } from "./versioned-records.js"

/** What a migration did. */
export interface MigrationReport {
  readonly from: number
  readonly to: number
  /** Entries that are not what they were, by step. */
  readonly steps: readonly { readonly from: number; readonly to: number; readonly changed: number }[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Records of the current version, and what was done for that. */
export interface Migrated extends VersionedRecords {
  /** Undefined when the session was up to date. */
  readonly report: MigrationReport | undefined
}

/**
 * Brings a session's records to the current version (FORMAT.md, section 3). Pure: what changes is a new object, what does
 * not is the same one. A version that is not supported comes back as it is.
 *
 * The ids that a v1 session gets are a function of its own id and the position, so that every reading of the same file, and
 * the migration that is written in the end, name its entries alike.
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

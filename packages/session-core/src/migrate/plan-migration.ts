import type { Diagnostic } from "../entry/diagnostic.js"
import { CURRENT_VERSION, type SessionHeader } from "../entry/header.js"
import type { LogRecord } from "../log/parse-line.js"
import type { MigrationReport } from "./migrate.js"
import { migrationIds } from "./migration-ids.js"
import type { OldLog, OldRecord } from "./old-log.js"
import { linked } from "./v1-to-v2.js"
import { withCustomRole } from "./v2-to-v3.js"

/** What a migration changes in what is stored, in the order of the file. */
export interface MigrationPlan {
  readonly header: SessionHeader
  readonly changes: readonly MigrationChange[]
  readonly report: MigrationReport
}

export type MigrationChange = ChangedRecord | NewLinks

export interface ChangedRecord {
  readonly before: LogRecord
  readonly after: LogRecord
}

/** An id and a parent, which come into a record of version 1 that stays as it is otherwise. */
export interface NewLinks {
  readonly offset: number
  readonly id: string
  readonly parentId: string | null
}

/** Says what `migrate` would do with the same session. Undefined where its version is not an older one. */
export function planMigration({ header, records, version }: OldLog): MigrationPlan | undefined {
  if (version === "unsupported" || version === CURRENT_VERSION) return undefined
  const changes: MigrationChange[] = []
  const diagnostics: Diagnostic[] = []
  const counts = { linked: 0, renamed: 0 }
  const ids = version < 2 ? idsOf(records, migrationIds(header.id)) : []
  let parentId: string | null = null
  for (const [index, record] of records.entries()) {
    const id = ids[index]
    const links = id === undefined ? undefined : { id, parentId }
    if (links) counts.linked += 1
    if (typeof record !== "number") {
      const then = links ? linked(record, links, ids, diagnostics) : record
      const after = withCustomRole(then)
      if (after !== then) counts.renamed += 1
      if (after !== record) changes.push({ before: record, after })
    } else if (links) changes.push({ offset: record, ...links })
    parentId = id ?? parentId
  }
  const steps = [{ from: 2, to: 3, changed: counts.renamed }]
  if (version < 2) steps.unshift({ from: 1, to: 2, changed: counts.linked })
  return {
    header: { ...header, version: CURRENT_VERSION },
    changes,
    report: { from: version, to: CURRENT_VERSION, steps, diagnostics },
  }
}

/** An object without a type is no entry: it gets no id. */
function idsOf(records: readonly OldRecord[], nextId: () => string): (string | undefined)[] {
  return records.map((record) =>
    typeof record === "number" || typeof record.value.type === "string" ? nextId() : undefined,
  )
}

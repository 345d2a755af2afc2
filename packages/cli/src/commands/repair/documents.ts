import * as d from "../../define/document.js"

const repair = d.document({
  path: d.path,
  dryRun: d.flag,
  changes: d.described(
    d.list(d.object({ kind: d.text, line: d.count, offset: d.bytes, entryId: d.optional(d.text), message: d.text })),
    "Places are those before the repair.",
  ),
  backup: d.orNull(d.path),
  changesFile: d.orNull(d.path),
  after: d.described(d.object(d.verification), "What verify says then."),
})

const migrated = d.document({
  path: d.path,
  dryRun: d.flag,
  from: d.described(d.integer, "A version."),
  to: d.described(d.integer, "A version."),
  changed: d.described(d.count, "Entries."),
  backup: d.orNull(d.path),
  diagnostics: d.list(d.diagnostic),
})

const migrate = d.either(migrated, d.described(d.document(d.failure), "What could not be migrated."))

/** What `treelog repair --json` prints. */
export const documents = d.either(repair, migrate)

import * as d from "../../define/document.js"

const repair = d.document({
  path: d.path,
  dryRun: d.flag,
  changes: d.list(
    "Places are those before the repair.",
    d.object({ kind: d.text, line: d.count, offset: d.bytes, entryId: d.optional(d.text), message: d.text }),
  ),
  backup: d.orNull(d.path),
  changesFile: d.orNull(d.path),
  after: d.object("What verify says then.", d.verification),
})

const migrated = d.document({
  path: d.path,
  dryRun: d.flag,
  from: d.described("A version.", d.integer),
  to: d.described("A version.", d.integer),
  changed: d.described("Entries.", d.count),
  backup: d.orNull(d.path),
  diagnostics: d.list(d.diagnostic),
})

const migrate = d.either(migrated, d.document("What could not be migrated.", d.failure))

export const documents = d.either(repair, migrate)

import {
  bytes,
  count,
  described,
  diagnostic,
  document,
  either,
  failure,
  flag,
  integer,
  list,
  object,
  optional,
  orNull,
  path,
  text,
  verification,
} from "../../define/document.js"

const repair = document({
  path,
  dryRun: flag,
  changes: described(
    list(object({ kind: text, line: count, offset: bytes, entryId: optional(text), message: text })),
    "Places are those before the repair.",
  ),
  backup: orNull(path),
  changesFile: orNull(path),
  after: described(object(verification), "What verify says then."),
})

const migrated = document({
  path,
  dryRun: flag,
  from: described(integer, "A version."),
  to: described(integer, "A version."),
  changed: described(count, "Entries."),
  backup: orNull(path),
  diagnostics: list(diagnostic),
})

const migrate = either(migrated, described(document(failure), "What could not be migrated."))

/** What `treelog repair --json` prints. */
export const documents = either(repair, migrate)

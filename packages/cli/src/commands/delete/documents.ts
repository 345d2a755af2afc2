import * as d from "../../define/document.js"

const trash = d.described(d.orNull(d.path), "Where it is in the trash; null where it did not go.")

const deleted = d.either(d.document({ path: d.path, dryRun: d.flag, trash }), d.failed)

const prune = d.either(
  d.document({
    path: d.path,
    id: d.text,
    cwd: d.text,
    name: d.optional(d.text),
    modified: d.time,
    messageCount: d.count,
    size: d.described(d.bytes, "Bytes, with the artifacts."),
    dryRun: d.flag,
    keptFor: d.described(d.orNull(d.oneOf("named", "labelled", "leased")), "Why it stays all the same."),
    trash,
  }),
  d.failed,
)

/** What `treelog delete --json` prints. */
export const documents = d.either(deleted, prune)

import * as d from "../../define/document.js"

const trash = d.orNull("Where it is in the trash; null where it did not go.", d.path)

const deleted = d.either(d.document({ path: d.path, dryRun: d.flag, trash }), d.failed)

const prune = d.either(
  d.document({
    path: d.path,
    id: d.text,
    cwd: d.text,
    name: d.optional(d.text),
    modified: d.time,
    messageCount: d.count,
    size: d.described("Bytes, with the artifacts.", d.bytes),
    dryRun: d.flag,
    keptFor: d.orNull("Why it stays all the same.", d.oneOf("named", "labelled", "leased")),
    trash,
  }),
  d.failed,
)

export const documents = d.either(deleted, prune)

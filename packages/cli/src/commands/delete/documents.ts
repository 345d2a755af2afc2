import {
  bytes,
  count,
  described,
  document,
  either,
  failed,
  flag,
  oneOf,
  optional,
  orNull,
  path,
  text,
  time,
} from "../../define/document.js"

const trash = described(orNull(path), "Where it is in the trash; null where it did not go.")

const deleted = either(document({ path, dryRun: flag, trash }), failed)

const prune = either(
  document({
    path,
    id: text,
    cwd: text,
    name: optional(text),
    modified: time,
    messageCount: count,
    size: described(bytes, "Bytes, with the artifacts."),
    dryRun: flag,
    keptFor: described(orNull(oneOf("named", "labelled", "leased")), "Why it stays all the same."),
    trash,
  }),
  failed,
)

/** What `treelog delete --json` prints. */
export const documents = either(deleted, prune)

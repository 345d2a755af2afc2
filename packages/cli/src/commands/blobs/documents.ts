import {
  bytes,
  count,
  described,
  describedError,
  diagnostic,
  document,
  either,
  flag,
  list,
  literal,
  object,
  orNull,
  path,
  tally,
  text,
  time,
} from "../../define/document.js"

const rewrite = document({
  path,
  dryRun: flag,
  before: bytes,
  after: bytes,
  changed: described(count, "Lines."),
  blobs: described(
    object({ folder: path, count, bytes, hashes: list(text) }),
    "What was put or read: SHA-256, 64 lower-case hex digits each.",
  ),
  diagnostics: list(diagnostic),
})

const hash = described(text, "SHA-256, 64 lower-case hex digits.")

const blobsLs = described(document({ hash, size: bytes, modified: time }), "One a line.")

const blobsVerify = either(
  document({
    folder: path,
    state: literal("damaged"),
    hash,
    size: bytes,
    actual: described(text, "The hash of its bytes."),
  }),
  document({ folder: path, state: literal("unreadable"), hash, error: describedError }),
)

const blobsGc = either(
  document({
    folder: path,
    roots: list(path),
    applied: flag,
    scanned: described(tally, "Files that were read."),
    kept: described(tally, "Blobs that are named."),
    withinGrace: tally,
    swept: object({ count, bytes, hashes: list(hash) }),
    temporary: described(tally, "Unfinished files."),
    emptied: described(tally, "Gone for good."),
    restored: described(tally, "Named again."),
    trash: orNull(path),
    unparsable: list(object({ path, line: count, message: text })),
  }),
  described(document({ folder: path, restored: tally }), "With --undo."),
)

/** What the commands of `treelog blobs` print with `--json`. */
export const documents = {
  slim: rewrite,
  inflate: rewrite,
  ls: blobsLs,
  verify: blobsVerify,
  gc: blobsGc,
}

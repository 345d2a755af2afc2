import * as d from "../../define/document.js"

const rewrite = d.document({
  path: d.path,
  dryRun: d.flag,
  before: d.bytes,
  after: d.bytes,
  changed: d.described(d.count, "Lines."),
  blobs: d.described(
    d.object({ folder: d.path, count: d.count, bytes: d.bytes, hashes: d.list(d.text) }),
    "What was put or read: SHA-256, 64 lower-case hex digits each.",
  ),
  diagnostics: d.list(d.diagnostic),
})

const hash = d.described(d.text, "SHA-256, 64 lower-case hex digits.")

const blobsLs = d.described(d.document({ hash, size: d.bytes, modified: d.time }), "One a line.")

const blobsVerify = d.either(
  d.document({
    folder: d.path,
    state: d.literal("damaged"),
    hash,
    size: d.bytes,
    actual: d.described(d.text, "The hash of its bytes."),
  }),
  d.document({ folder: d.path, state: d.literal("unreadable"), hash, error: d.describedError }),
)

const blobsGc = d.either(
  d.document({
    folder: d.path,
    roots: d.list(d.path),
    applied: d.flag,
    scanned: d.described(d.tally, "Files that were read."),
    kept: d.described(d.tally, "Blobs that are named."),
    withinGrace: d.tally,
    swept: d.object({ count: d.count, bytes: d.bytes, hashes: d.list(hash) }),
    temporary: d.described(d.tally, "Unfinished files."),
    emptied: d.described(d.tally, "Gone for good."),
    restored: d.described(d.tally, "Named again."),
    trash: d.orNull(d.path),
    unparsable: d.list(d.object({ path: d.path, line: d.count, message: d.text })),
  }),
  d.described(d.document({ folder: d.path, restored: d.tally }), "With --undo."),
)

/** What the commands of `treelog blobs` print with `--json`. */
export const documents = {
  slim: rewrite,
  inflate: rewrite,
  ls: blobsLs,
  verify: blobsVerify,
  gc: blobsGc,
}

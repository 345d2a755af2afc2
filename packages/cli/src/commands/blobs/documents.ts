import * as d from "../../define/document.js"

const rewrite = d.document({
  path: d.path,
  dryRun: d.flag,
  before: d.bytes,
  after: d.bytes,
  changed: d.described("Lines.", d.count),
  blobs: d.object("What was put or read: SHA-256, 64 lower-case hex digits each.", {
    folder: d.path,
    count: d.count,
    bytes: d.bytes,
    hashes: d.list(d.text),
  }),
  diagnostics: d.list(d.diagnostic),
})

const hash = d.described("SHA-256, 64 lower-case hex digits.", d.text)

const blobsLs = d.document("One a line.", { hash, size: d.bytes, modified: d.time })

const blobsVerify = d.either(
  d.document({
    folder: d.path,
    state: d.literal("damaged"),
    hash,
    size: d.bytes,
    actual: d.described("The hash of its bytes.", d.text),
  }),
  d.document({ folder: d.path, state: d.literal("unreadable"), hash, error: d.describedError }),
)

const blobsGc = d.either(
  d.document({
    folder: d.path,
    roots: d.list(d.path),
    applied: d.flag,
    scanned: d.described("Files that were read.", d.tally),
    kept: d.described("Blobs that are named.", d.tally),
    withinGrace: d.tally,
    swept: d.object({ count: d.count, bytes: d.bytes, hashes: d.list(hash) }),
    temporary: d.described("Unfinished files.", d.tally),
    emptied: d.described("Gone for good.", d.tally),
    restored: d.described("Named again.", d.tally),
    trash: d.orNull(d.path),
    unparsable: d.list(d.object({ path: d.path, line: d.count, message: d.text })),
  }),
  d.document("With --undo.", { folder: d.path, restored: d.tally }),
)

export const documents = {
  slim: rewrite,
  inflate: rewrite,
  ls: blobsLs,
  verify: blobsVerify,
  gc: blobsGc,
}

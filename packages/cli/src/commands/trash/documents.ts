import * as d from "../../define/document.js"

const restore = d.either(
  d.document({
    path: d.described(d.path, "Where it is again."),
    trash: d.described(d.path, "Where it was in the trash."),
  }),
  d.failed,
)

const trashed = d.document({
  path: d.path,
  from: d.described(d.path, "Where it was, and goes back to."),
  deleted: d.time,
  batch: d.described(d.iso, "What sessions that went together have in common; `restore` takes it."),
  ...d.sessionInfo,
  size: d.described(d.bytes, "Bytes, with all that went along."),
})

const trashLs = d.either(trashed, d.failed)

const trashEmpty = d.either(
  d.document({ path: d.path, from: d.path, deleted: d.time, size: d.bytes, dryRun: d.flag }),
  d.failed,
)

/** What the commands of `treelog trash` print with `--json`. */
export const documents = {
  restore,
  ls: trashLs,
  empty: trashEmpty,
}

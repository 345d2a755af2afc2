import * as d from "../../define/document.js"

const restore = d.either(
  d.document({
    path: d.described("Where it is again.", d.path),
    trash: d.described("Where it was in the trash.", d.path),
  }),
  d.failed,
)

const trashed = d.document({
  path: d.path,
  from: d.described("Where it was, and goes back to.", d.path),
  deleted: d.time,
  batch: d.described("What sessions that went together have in common; `restore` takes it.", d.iso),
  ...d.sessionInfo,
  size: d.described("Bytes, with all that went along.", d.bytes),
})

const trashLs = d.either(trashed, d.failed)

const trashEmpty = d.either(
  d.document({ path: d.path, from: d.path, deleted: d.time, size: d.bytes, dryRun: d.flag }),
  d.failed,
)

export const documents = {
  restore,
  ls: trashLs,
  empty: trashEmpty,
}

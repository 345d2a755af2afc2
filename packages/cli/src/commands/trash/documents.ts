import {
  bytes,
  described,
  document,
  either,
  failed,
  flag,
  iso,
  path,
  sessionInfo,
  time,
} from "../../define/document.js"

const restore = either(
  document({ path: described(path, "Where it is again."), trash: described(path, "Where it was in the trash.") }),
  failed,
)

const trashed = document({
  path,
  from: described(path, "Where it was, and goes back to."),
  deleted: time,
  batch: described(iso, "What sessions that went together have in common; `restore` takes it."),
  ...sessionInfo,
  size: described(bytes, "Bytes, with all that went along."),
})

const trashLs = either(trashed, failed)

const trashEmpty = either(document({ path, from: path, deleted: time, size: bytes, dryRun: flag }), failed)

/** What the commands of `treelog trash` print with `--json`. */
export const documents = {
  restore,
  ls: trashLs,
  empty: trashEmpty,
}

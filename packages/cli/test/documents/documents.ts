import * as z from "zod/mini"
import * as housekeeping from "./housekeeping.js"
import * as reading from "./reading.js"
import * as searching from "./searching.js"
import * as sharing from "./sharing.js"
import * as stores from "./stores.js"
import * as writing from "./writing.js"

/** What each command prints with `--json`, a document or a line of JSON. `docs/schema` holds the same as JSON Schemas. */
export const documents: Readonly<Record<string, z.core.$ZodType>> = {
  list: reading.list,
  resume: reading.resume,
  show: reading.show,
  tree: reading.tree,
  context: reading.context,
  stats: reading.stats,
  watch: reading.watch,
  view: reading.view,
  search: searching.search,
  files: searching.files,
  doctor: searching.doctor,
  index: z.union([searching.indexStatus, searching.indexUpdate, searching.indexVerify]),
  new: writing.newSession,
  append: writing.append,
  branch: writing.branch,
  compact: writing.compact,
  fork: writing.fork,
  label: writing.label,
  name: reading.name,
  verify: reading.verify,
  repair: z.union([writing.repair, writing.migrate]),
  "blobs slim": writing.rewrite,
  "blobs inflate": writing.rewrite,
  "blobs ls": stores.blobsLs,
  "blobs verify": stores.blobsVerify,
  "blobs gc": stores.blobsGc,
  export: sharing.exported,
  import: z.union([sharing.imported, sharing.copied, sharing.unbundled]),
  bundle: sharing.bundled,
  scan: sharing.scan,
  "config get": stores.config,
  "config set": stores.config,
  "config unset": stores.config,
  "store migrate": stores.storeMigrate,
  "store clean": stores.storeClean,
  delete: z.union([housekeeping.deleted, housekeeping.prune]),
  "trash restore": housekeeping.restore,
  "trash ls": housekeeping.trashLs,
  "trash empty": housekeeping.trashEmpty,
  relocate: housekeeping.relocate,
  history: stores.historyPrompt,
  "history search": stores.historyPrompt,
  "history recent": stores.historyPrompt,
  "history add": stores.historyAdd,
  "history import": stores.historyImport,
  "history delete": stores.historyDelete,
  "history stats": stores.historyStats,
  completion: housekeeping.completion,
}

/** What any command prints on stderr with `--json`: what it fails for, and what is wrong and ends nothing. */
export const { error, warning } = writing

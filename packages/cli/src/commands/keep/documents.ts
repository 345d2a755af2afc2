import * as d from "../../define/document.js"

const remote = {
  files: d.count,
  bytes: d.described(d.bytes, "Bytes of them that were new."),
  failed: d.described(d.count, "Files that cannot be read; stderr says why."),
}
const moved = d.object(remote)

/** Each time that it has brought the copies up to date. */
const kept = d.document({
  into: d.described(d.path, "Where the copies are."),
  files: d.described(d.count, "Files of all stores, databases included."),
  changed: d.described(d.count, "Files that were new or had changed."),
  bytes: d.described(d.bytes, "Bytes that were written, without those of databases."),
  gone: d.described(d.count, "Files that are kept, and that their agents have no more."),
  failed: d.described(d.count, "Files that cannot be kept; stderr says why."),
  changes: d.described(
    d.list(
      d.object({
        store: d.text,
        change: d.oneOf("gone", "rewritten", "moved"),
        path: d.path,
        former: d.optional(d.described(d.path, "Where what it was is kept, or from where it was moved.")),
      }),
    ),
    "What happened since the last time, but for what is new or longer.",
  ),
  sent: d.optional(
    d.described(moved, "What was sent to a bucket or a database; absent where nothing was to be, or could be."),
  ),
})

const brought = d.document({ into: d.described(d.path, "Where the copies are."), from: d.text, ...remote })

const timer = d.document({
  timer: d.oneOf("systemd", "launchd", "cron"),
  files: d.described(d.list(d.path), "The files of the timer, which are there or were removed."),
})

const pruned = d.document({ path: d.path, id: d.text, size: d.bytes, modified: d.time, dryRun: d.flag })

const held = d.document({ id: d.text, isHeld: d.flag })

/** What `treelog keep --json` prints: of `--from` what was brought back, of `--install` and `--uninstall` the timer, of `--prune` each session, of `--hold` and `--release` the session. */
export const documents = d.either(kept, brought, timer, pruned, held, d.failed)

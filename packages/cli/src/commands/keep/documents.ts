import * as d from "../../define/document.js"

const remote = {
  files: d.count,
  bytes: d.described("Bytes of them that were new.", d.bytes),
  failed: d.described("Files that cannot be read; stderr says why.", d.count),
}
const moved = d.object(remote)

/** Each time that it has brought the copies up to date. */
const kept = d.document({
  into: d.described("Where the copies are.", d.path),
  files: d.described("Files of all stores, databases included.", d.count),
  changed: d.described("Files that were new or had changed.", d.count),
  bytes: d.described("Bytes that were written, without those of databases.", d.bytes),
  gone: d.described("Files that are kept, and that their agents have no more.", d.count),
  failed: d.described("Files that cannot be kept; stderr says why.", d.count),
  changes: d.list(
    "What happened since the last time, but for what is new or longer.",
    d.object({
      store: d.text,
      change: d.oneOf("gone", "rewritten", "moved"),
      path: d.path,
      former: d.optional("Where what it was is kept, or from where it was moved.", d.path),
    }),
  ),
  sent: d.optional("What was sent to a bucket or a database; absent where nothing was to be, or could be.", moved),
})

const brought = d.document({ into: d.described("Where the copies are.", d.path), from: d.text, ...remote })

const timer = d.document({
  timer: d.oneOf("systemd", "launchd", "cron"),
  files: d.list("The files of the timer, which are there or were removed.", d.path),
})

const pruned = d.document({ path: d.path, id: d.text, size: d.bytes, modified: d.time, dryRun: d.flag })

const held = d.document({ id: d.text, isHeld: d.flag })

/** What `treelog keep --json` prints: of `--from` what was brought back, of `--install` and `--uninstall` the timer, of `--prune` each session, of `--hold` and `--release` the session. */
export const documents = d.either(kept, brought, timer, pruned, held, d.failed)

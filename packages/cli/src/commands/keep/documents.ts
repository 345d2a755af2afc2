import {
  bytes,
  count,
  described,
  document,
  either,
  failed,
  flag,
  list,
  object,
  oneOf,
  optional,
  path,
  text,
  time,
} from "../../define/document.js"

const remote = {
  files: count,
  bytes: described(bytes, "Bytes of them that were new."),
  failed: described(count, "Files that cannot be read; stderr says why."),
}
const moved = object(remote)

/** Each time that it has brought the copies up to date. */
const kept = document({
  into: described(path, "Where the copies are."),
  files: described(count, "Files of all stores, databases included."),
  changed: described(count, "Files that were new or had changed."),
  bytes: described(bytes, "Bytes that were written, without those of databases."),
  gone: described(count, "Files that are kept, and that their agents have no more."),
  failed: described(count, "Files that cannot be kept; stderr says why."),
  changes: described(
    list(
      object({
        store: text,
        change: oneOf("gone", "rewritten", "moved"),
        path,
        former: optional(described(path, "Where what it was is kept, or from where it was moved.")),
      }),
    ),
    "What happened since the last time, but for what is new or longer.",
  ),
  sent: optional(
    described(moved, "What was sent to a bucket or a database; absent where nothing was to be, or could be."),
  ),
})

const brought = document({ into: described(path, "Where the copies are."), from: text, ...remote })

const timer = document({
  timer: oneOf("systemd", "launchd", "cron"),
  files: described(list(path), "The files of the timer, which are there or were removed."),
})

const pruned = document({ path, id: text, size: bytes, modified: time, dryRun: flag })

const held = document({ id: text, isHeld: flag })

/** What `treelog keep --json` prints: of `--from` what was brought back, of `--install` and `--uninstall` the timer, of `--prune` each session, of `--hold` and `--release` the session. */
export const documents = either(kept, brought, timer, pruned, held, failed)

import * as z from "zod/mini"
import {
  bytes,
  count,
  described,
  describedError,
  document,
  failure,
  optional,
  orNull,
  path,
  tally,
  text,
  time,
} from "./parts.js"

// What the commands print that look after blobs, and after the history of prompts.

const hash = described(text, "SHA-256, 64 lower-case hex digits.")

export const blobsLs = described(document({ hash, size: bytes(), modified: time() }), "One a line.")

export const blobsVerify = z.union([
  document({
    folder: path(),
    state: z.literal("damaged"),
    hash,
    size: bytes(),
    actual: described(text, "The hash of its bytes."),
  }),
  document({ folder: path(), state: z.literal("unreadable"), hash, error: describedError }),
])

export const config = document({
  file: path(),
  store: optional(described(text, "What --store would take.")),
})

const store = described(text, "The address of the database, without a password.")

export const storeMigrate = document({
  store,
  versions: described(
    z.array(z.number()),
    "The versions of the tables that were missing; empty where they were up to date.",
  ),
})

export const storeClean = document({ store, uploads: described(count, "How many abandoned uploads were removed.") })

export const blobsGc = z.union([
  document({
    folder: path(),
    roots: z.array(path()),
    applied: z.boolean(),
    scanned: described(tally(), "Files that were read."),
    kept: described(tally(), "Blobs that are named."),
    withinGrace: tally(),
    swept: z.object({ count, bytes: bytes(), hashes: z.array(hash) }),
    temporary: described(tally(), "Unfinished files."),
    emptied: described(tally(), "Gone for good."),
    restored: described(tally(), "Named again."),
    trash: orNull(path()),
    unparsable: z.array(z.object({ path: path(), line: count, message: text })),
  }),
  described(document({ folder: path(), restored: tally() }), "With --undo."),
])

const prompt = {
  id: described(count, "Names it for `history delete`."),
  text,
  createdAt: time(),
  cwd: optional(text),
  sessionId: optional(text),
  store: optional(described(text, "Whose history has it, where several were read.")),
}
export const historyPrompt = described(document(prompt), "One, or one a line.")

export const historyAdd = document({ added: z.boolean(), reason: orNull(z.literal("secret")) })

export const historyImport = document({
  read: count,
  added: count,
  known: count,
  ignored: count,
  deleted: described(count, "Deleted before, so not taken again."),
  skippedLines: count,
  failures: z.array(z.object(failure)),
})

export const historyDelete = z.union([
  described(document({ dryRun: z.literal(true), prompts: z.array(z.object(prompt)) }), "Without --yes."),
  described(document({ dryRun: z.literal(false), removed: count }), "With --yes."),
])

export const historyStats = document({
  path: path(),
  stored: count,
  folders: count,
  sessions: count,
  oldest: orNull(time()),
  newest: orNull(time()),
  bytes: orNull(bytes()),
})

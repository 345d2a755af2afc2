import * as z from "zod/mini"
import {
  bytes,
  count,
  described,
  diagnostic,
  document,
  failure,
  leafId,
  optional,
  orNull,
  path,
  session,
  text,
} from "./parts.js"
import { verification } from "./reading.js"

// What the commands print that make and change sessions.

const made = { sessionId: text, path: path(), cwd: path(), leafId: leafId() }
export const newSession = document(made)
export const fork = document({ ...made, editorText: optional(described(text, "What may be said differently.")) })

const appended = { ...session, entryId: described(text, "The entry that was written.") }
export const append = document(appended)
export const branch = document({
  ...appended,
  targetId: orNull(text),
  summary: optional(described(orNull(text), "With --summarize; null where nothing is left behind.")),
  diagnostics: optional(described(z.array(diagnostic), "With --summarize: long texts that it saw cut.")),
})
export const label = document({ ...appended, targetId: text, label: orNull(text) })

const extent = z.object({ messages: count, tokens: count })
const request = z.object({ kind: text, systemPrompt: text, prompt: text, maxTokens: optional(count) })
const planned = {
  ...session,
  tokensBefore: count,
  firstKeptEntryId: text,
  isSplitTurn: z.boolean(),
  summarize: extent,
  turnPrefix: described(extent, "The part of it that is of a cut turn."),
  keep: extent,
  files: z.object({ readFiles: z.array(text), modifiedFiles: z.array(text) }),
  diagnostics: z.array(diagnostic),
}

export const compact = z.union([
  described(
    document({ ...session, dryRun: z.boolean(), status: z.literal("nothing-to-compact"), entryId: z.null() }),
    "Where there was nothing to do.",
  ),
  described(
    document({
      ...planned,
      dryRun: z.literal(true),
      status: z.literal("ready"),
      entryId: z.null(),
      previousSummary: orNull(text),
      requests: z.object({ history: optional(request), turnPrefix: optional(request) }),
    }),
    "After a dry run.",
  ),
  described(
    document({
      ...planned,
      dryRun: z.literal(false),
      status: z.literal("compacted"),
      entryId: text,
      summary: text,
      tokensAfter: count,
    }),
    "When it was done.",
  ),
])

export const repair = document({
  path: path(),
  dryRun: z.boolean(),
  changes: described(
    z.array(z.object({ kind: text, line: count, offset: bytes(), entryId: optional(text), message: text })),
    "Places are those before the repair.",
  ),
  backup: orNull(path()),
  changesFile: orNull(path()),
  after: described(z.object(verification), "What verify says then."),
})

const migrated = document({
  path: path(),
  dryRun: z.boolean(),
  from: described(z.int(), "A version."),
  to: described(z.int(), "A version."),
  changed: described(count, "Entries."),
  backup: orNull(path()),
  diagnostics: z.array(diagnostic),
})
export const migrate = z.union([migrated, described(document(failure), "What could not be migrated.")])

export const rewrite = document({
  path: path(),
  dryRun: z.boolean(),
  before: bytes(),
  after: bytes(),
  changed: described(count, "Lines."),
  blobs: described(
    z.object({ folder: path(), count, bytes: bytes(), hashes: z.array(text) }),
    "What was put or read: SHA-256, 64 lower-case hex digits each.",
  ),
  diagnostics: z.array(diagnostic),
})

export const warning = document({
  warning: z.object({
    code: described(text, "As docs/ERRORS.md has them."),
    message: text,
    data: described(z.unknown(), "By code."),
  }),
})

export const error = document({
  error: z.object({
    code: described(text, "As docs/ERRORS.md and the README of the command have them."),
    message: text,
    data: described(z.unknown(), "By code."),
    stack: optional(described(text, "With --debug.")),
  }),
})

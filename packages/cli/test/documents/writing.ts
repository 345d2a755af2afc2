import * as z from "zod/mini"
import {
  bytes,
  count,
  diagnostic,
  document,
  failure,
  leafId,
  optional,
  orNull,
  path,
  session,
  text,
  told,
} from "./parts.js"
import { verification } from "./reading.js"

// What the commands print that make and change sessions.

const made = { sessionId: text, path: path(), cwd: path(), leafId: leafId() }
export const newSession = document(made)
export const fork = document({ ...made, editorText: optional(told(text, "What may be said differently.")) })

const appended = { ...session, entryId: told(text, "The entry that was written.") }
export const append = document(appended)
export const branch = document({
  ...appended,
  targetId: orNull(text),
  summary: optional(told(orNull(text), "With --summarize; null where nothing is left behind.")),
  diagnostics: optional(told(z.array(diagnostic), "With --summarize: long texts that it saw cut.")),
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
  turnPrefix: told(extent, "The part of it that is of a cut turn."),
  keep: extent,
  files: z.object({ readFiles: z.array(text), modifiedFiles: z.array(text) }),
  diagnostics: z.array(diagnostic),
}

export const compact = z.union([
  told(
    document({ ...session, dryRun: z.boolean(), status: z.literal("nothing-to-compact"), entryId: z.null() }),
    "Where there was nothing to do.",
  ),
  told(
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
  told(
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
  changes: told(
    z.array(z.object({ kind: text, line: count, offset: bytes(), entryId: optional(text), message: text })),
    "Places are those before the repair.",
  ),
  backup: orNull(path()),
  changesFile: orNull(path()),
  after: told(z.object(verification), "What verify says then."),
})

const migrated = document({
  path: path(),
  dryRun: z.boolean(),
  from: told(z.int(), "A version."),
  to: told(z.int(), "A version."),
  changed: told(count, "Entries."),
  backup: orNull(path()),
  diagnostics: z.array(diagnostic),
})
export const migrate = z.union([migrated, told(document(failure), "What could not be migrated.")])

export const rewrite = document({
  path: path(),
  dryRun: z.boolean(),
  before: bytes(),
  after: bytes(),
  changed: told(count, "Lines."),
  blobs: told(
    z.object({ folder: path(), count, bytes: bytes(), hashes: z.array(text) }),
    "What was put or read: SHA-256, 64 lower-case hex digits each.",
  ),
  backup: orNull(path()),
  diagnostics: z.array(diagnostic),
})

export const warning = document({
  warning: z.object({
    code: told(text, "As docs/ERRORS.md has them."),
    message: text,
    data: told(z.unknown(), "By code."),
  }),
})

export const error = document({
  error: z.object({
    code: told(text, "As docs/ERRORS.md and the README of the command have them."),
    message: text,
    data: told(z.unknown(), "By code."),
    stack: optional(told(text, "With --debug.")),
  }),
})

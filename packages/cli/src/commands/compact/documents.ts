import {
  count,
  described,
  diagnostic,
  document,
  either,
  flag,
  list,
  literal,
  object,
  optional,
  orNull,
  session,
  text,
} from "../../define/document.js"

const extent = object({ messages: count, tokens: count })

const planned = {
  ...session,
  tokensBefore: count,
  firstKeptEntryId: text,
  isSplitTurn: flag,
  summarize: extent,
  turnPrefix: described(extent, "The part of it that is of a cut turn."),
  keep: extent,
  files: object({ readFiles: list(text), modifiedFiles: list(text) }),
  diagnostics: list(diagnostic),
}

const request = object({ kind: text, systemPrompt: text, prompt: text, maxTokens: optional(count) })

/** What `treelog compact --json` prints. */
export const documents = either(
  described(
    document({ ...session, dryRun: flag, status: literal("nothing-to-compact"), entryId: literal(null) }),
    "Where there was nothing to do.",
  ),
  described(
    document({
      ...planned,
      dryRun: literal(true),
      status: literal("ready"),
      entryId: literal(null),
      previousSummary: orNull(text),
      requests: object({ history: optional(request), turnPrefix: optional(request) }),
    }),
    "After a dry run.",
  ),
  described(
    document({
      ...planned,
      dryRun: literal(false),
      status: literal("compacted"),
      entryId: text,
      summary: text,
      tokensAfter: count,
    }),
    "When it was done.",
  ),
)

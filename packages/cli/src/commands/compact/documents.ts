import * as d from "../../define/document.js"

const extent = d.object({ messages: d.count, tokens: d.count })

const planned = {
  ...d.session,
  tokensBefore: d.count,
  firstKeptEntryId: d.text,
  isSplitTurn: d.flag,
  summarize: extent,
  turnPrefix: d.described("The part of it that is of a cut turn.", extent),
  keep: extent,
  files: d.object({ readFiles: d.list(d.text), modifiedFiles: d.list(d.text) }),
  diagnostics: d.list(d.diagnostic),
}

const request = d.object({ kind: d.text, systemPrompt: d.text, prompt: d.text, maxTokens: d.optional(d.count) })

export const documents = d.either(
  d.document("Where there was nothing to do.", {
    ...d.session,
    dryRun: d.flag,
    status: d.literal("nothing-to-compact"),
    entryId: d.literal(null),
  }),
  d.document("After a dry run.", {
    ...planned,
    dryRun: d.literal(true),
    status: d.literal("ready"),
    entryId: d.literal(null),
    previousSummary: d.orNull(d.text),
    requests: d.object({ history: d.optional(request), turnPrefix: d.optional(request) }),
  }),
  d.document("When it was done.", {
    ...planned,
    dryRun: d.literal(false),
    status: d.literal("compacted"),
    entryId: d.text,
    summary: d.text,
    tokensAfter: d.count,
  }),
)

import * as d from "../../define/document.js"

const around = d.list(d.object({ entryId: d.text, who: d.text, text: d.text }))

const hit = d.document({
  store: d.optional(d.program),
  session: d.object({ ...d.foundSession, cost: d.optional(d.cost) }),
  entryId: d.described(d.text, "Of the entry to open; for a label, of the labelled one."),
  role: d.oneOf("user", "assistant", "thinking", "toolCall", "toolResult", "summary", "label", "name", "other"),
  time: d.described(d.time, "Milliseconds since 1970; 0 if the entry has no time."),
  model: d.optional(d.described(d.text, "provider/model.")),
  tool: d.optional(d.text),
  part: d.optional(d.described(d.part, "The part of the session that has it, such as the transcript of a sub-agent.")),
  snippet: d.object({
    text: d.text,
    matches: d.described(d.list(d.list(d.count)), "Begin and end of each match in the text, in UTF-16 units."),
    isCutBefore: d.flag,
    isCutAfter: d.flag,
  }),
  context: d.optional(d.described(d.object({ before: around, after: around }), "With --context.")),
})

const typedPrompt = d.document({
  store: d.optional(d.described(d.text, "Where several programs keep prompts: whose it is, as `--store` takes it.")),
  text: d.text,
  createdAt: d.time,
  cwd: d.optional(d.text),
  sessionId: d.optional(d.text),
})

/** What `treelog search --json` prints. */
export const documents = d.described(
  d.either(hit, d.described(typedPrompt, "With --prompts, of what programs keep of prompts.")),
  "One a line for each hit, newest first, or with --sort relevance the best first.",
)

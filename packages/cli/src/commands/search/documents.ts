import * as d from "../../define/document.js"

const around = d.list(d.object({ entryId: d.text, who: d.text, text: d.text }))

const hit = d.document({
  store: d.optional(d.program),
  session: d.object({ ...d.foundSession, cost: d.optional(d.cost) }),
  entryId: d.described("Of the entry to open; for a label, of the labelled one.", d.text),
  role: d.oneOf("user", "assistant", "thinking", "toolCall", "toolResult", "summary", "label", "name", "other"),
  time: d.described("Milliseconds since 1970; 0 if the entry has no time.", d.time),
  model: d.optional("provider/model.", d.text),
  tool: d.optional(d.text),
  part: d.optional("The part of the session that has it, such as the transcript of a sub-agent.", d.part),
  snippet: d.object({
    text: d.text,
    matches: d.list("Begin and end of each match in the text, in UTF-16 units.", d.list(d.count)),
    isCutBefore: d.flag,
    isCutAfter: d.flag,
  }),
  context: d.optional("With --context.", d.object({ before: around, after: around })),
})

const typedPrompt = d.document({
  store: d.optional("Where several programs keep prompts: whose it is, as `--store` takes it.", d.text),
  text: d.text,
  createdAt: d.time,
  cwd: d.optional(d.text),
  sessionId: d.optional(d.text),
})

export const documents = d.described(
  "One a line for each hit, newest first, or with --sort relevance the best first.",
  d.either(hit, d.described("With --prompts, of what programs keep of prompts.", typedPrompt)),
)

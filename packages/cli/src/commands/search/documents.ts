import {
  cost,
  count,
  described,
  document,
  either,
  flag,
  foundSession,
  list,
  object,
  oneOf,
  optional,
  part,
  program,
  text,
  time,
} from "../../define/document.js"

const around = list(object({ entryId: text, who: text, text }))

const hit = document({
  store: optional(program),
  session: object({ ...foundSession, cost: optional(cost) }),
  entryId: described(text, "Of the entry to open; for a label, of the labelled one."),
  role: oneOf("user", "assistant", "thinking", "toolCall", "toolResult", "summary", "label", "name", "other"),
  time: described(time, "Milliseconds since 1970; 0 if the entry has no time."),
  model: optional(described(text, "provider/model.")),
  tool: optional(text),
  part: optional(described(part, "The part of the session that has it, such as the transcript of a sub-agent.")),
  snippet: object({
    text,
    matches: described(list(list(count)), "Begin and end of each match in the text, in UTF-16 units."),
    isCutBefore: flag,
    isCutAfter: flag,
  }),
  context: optional(described(object({ before: around, after: around }), "With --context.")),
})

const typedPrompt = document({
  store: optional(described(text, "Where several programs keep prompts: whose it is, as `--store` takes it.")),
  text,
  createdAt: time,
  cwd: optional(text),
  sessionId: optional(text),
})

/** What `treelog search --json` prints. */
export const documents = described(
  either(hit, described(typedPrompt, "With --prompts, of what programs keep of prompts.")),
  "One a line for each hit, newest first, or with --sort relevance the best first.",
)

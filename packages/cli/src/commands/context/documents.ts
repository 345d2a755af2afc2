import * as d from "../../define/document.js"

const message = d.described(
  "A message of a session: docs/schema/session/message.json.",
  d.looseObject({ role: d.text }),
)

const model = d.object({ provider: d.text, modelId: d.text })

const fidelity = d.object("Whether the context has the messages that the model got, and why.", {
  exactness: d.oneOf("exact", "approximate", "unknown"),
  reason: d.text,
})

const sessionContext = d.document({
  messages: d.list(message),
  entries: d.list("entries[i] is the id of the entry that gave messages[i].", d.text),
  model: d.orNull(model),
  models: d.mapOf(d.text),
  thinkingLevel: d.text,
  mode: d.text,
  modeData: d.optional(d.mapOf(d.anything)),
  injectedTtsrRules: d.list(d.text),
  diagnostics: d.list(d.diagnostic),
  fidelity,
})

const llmNote = {
  kind: d.text,
  message: d.text,
}

const llmContext = d.document({
  ...d.session,
  llm: d.oneOf("anthropic", "openai", "openai-responses", "ai-sdk"),
  repaired: d.described("Whether --repair was given.", d.flag),
  request: d.mapOf(d.anything),
  changes: d.list(d.object({ ...llmNote, index: d.count, entryId: d.orNull(d.text) })),
  fidelity,
  diagnostics: d.list(
    d.object({
      ...llmNote,
      index: d.optional(d.count),
      entryId: d.optional(d.orNull(d.text)),
      line: d.optional(d.count),
      offset: d.optional(d.bytes),
    }),
  ),
})

export const documents = d.either(d.described("Without --llm.", sessionContext), d.described("With --llm.", llmContext))

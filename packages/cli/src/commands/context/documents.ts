import {
  anything,
  bytes,
  count,
  described,
  diagnostic,
  document,
  either,
  flag,
  list,
  looseObject,
  mapOf,
  object,
  oneOf,
  optional,
  orNull,
  session,
  text,
} from "../../define/document.js"

const message = described(looseObject({ role: text }), "A message of a session: docs/schema/session/message.json.")

const model = object({ provider: text, modelId: text })

const fidelity = described(
  object({ exactness: oneOf("exact", "approximate", "unknown"), reason: text }),
  "Whether the context has the messages that the model got, and why.",
)

const sessionContext = document({
  messages: list(message),
  entries: described(list(text), "entries[i] is the id of the entry that gave messages[i]."),
  model: orNull(model),
  models: mapOf(text),
  thinkingLevel: text,
  mode: text,
  modeData: optional(mapOf(anything)),
  injectedTtsrRules: list(text),
  diagnostics: list(diagnostic),
  fidelity,
})

const llmNote = {
  kind: text,
  message: text,
}

const llmContext = document({
  ...session,
  llm: oneOf("anthropic", "openai", "openai-responses", "ai-sdk"),
  repaired: described(flag, "Whether --repair was given."),
  request: mapOf(anything),
  changes: list(object({ ...llmNote, index: count, entryId: orNull(text) })),
  fidelity,
  diagnostics: list(
    object({
      ...llmNote,
      index: optional(count),
      entryId: optional(orNull(text)),
      line: optional(count),
      offset: optional(bytes),
    }),
  ),
})

/** What `treelog context --json` prints. */
export const documents = either(described(sessionContext, "Without --llm."), described(llmContext, "With --llm."))

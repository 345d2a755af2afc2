import fc from "fast-check"
import { jsonObject, jsonValue } from "./json.js"

/** What an entry says beside its place in the tree. */
export type EntryBody = { type: string } & Record<string, unknown>

const text = fc.string({ unit: "binary", maxLength: 20 })
const name = fc.constantFrom("a", "b", "plan", "review")
const someId = fc.integer({ min: 0, max: 40 }).map((n) => n.toString(16).padStart(8, "0"))
const time = fc.integer({ min: 0, max: 2e12 })

const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text }),
  fc.record({ type: fc.constant("thinking"), thinking: text, thinkingSignature: text }),
  fc.record({ type: fc.constant("image"), data: fc.base64String(), mimeType: fc.constant("image/png") }),
  fc.record({ type: fc.constant("toolCall"), id: text, name, arguments: jsonObject }),
  fc.record({ type: fc.constant("hologram"), data: jsonValue }),
)

const content = fc.oneof(text, fc.array(block, { maxLength: 3 }), fc.constant(null))

export const message: fc.Arbitrary<{ role: string } & Record<string, unknown>> = fc.oneof(
  fc.record({ role: fc.constant("user"), content, timestamp: time }, { requiredKeys: ["role"] }),
  fc.record({ role: fc.constant("assistant"), content, provider: name, model: name, timestamp: time }),
  fc.record({ role: fc.constant("toolResult"), toolCallId: text, toolName: name, content, timestamp: time }),
  fc.record({ role: fc.constant("bashExecution"), command: text, output: text, timestamp: time }),
  fc.record({ role: fc.constantFrom("hookMessage", "custom"), customType: name, content, timestamp: time }),
  fc.record({ role: fc.constantFrom("system", "developer", "pythonExecution", "fileMention", "oracle"), content }),
)

const piModel = fc.record({ type: fc.constant("model_change"), provider: name, modelId: name })
const xcshModel = fc.record(
  { type: fc.constant("model_change"), model: fc.tuple(name, name).map((both) => both.join("/")), role: name },
  { requiredKeys: ["type", "model"] },
)

/** Bodies of the kinds that pi writes. */
export const piBody: fc.Arbitrary<EntryBody> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("message"), message }) },
  piModel,
  fc.record({ type: fc.constant("thinking_level_change"), thinkingLevel: fc.constantFrom("off", "low", "high") }),
  fc.record(
    {
      type: fc.constant("compaction"),
      summary: text,
      firstKeptEntryId: someId,
      tokensBefore: time,
      fromHook: fc.boolean(),
    },
    { requiredKeys: ["type", "summary", "tokensBefore"] },
  ),
  fc.record({ type: fc.constant("branch_summary"), fromId: fc.oneof(someId, fc.constant("root")), summary: text }),
  fc.record({ type: fc.constant("custom"), customType: name, data: jsonValue }),
  fc.record({ type: fc.constant("custom_message"), customType: name, content, display: fc.boolean() }),
  fc.record({ type: fc.constant("label"), targetId: someId, label: text }, { requiredKeys: ["type", "targetId"] }),
  fc.record({ type: fc.constant("session_info"), name: text }),
  fc.record({
    type: fc.constant("context_edit"),
    targetId: someId,
    replacement: fc.oneof(fc.constant(null), fc.record({ content })),
  }),
  fc.record({ type: fc.constant("usage"), provider: name, model: name, usage: jsonObject }),
  fc.record({ type: fc.constant("leaf"), targetId: fc.oneof(someId, fc.constant(null)) }),
)

/** Bodies of the kinds that xcsh and omp write. */
const xcshBody: fc.Arbitrary<EntryBody> = fc.oneof(
  xcshModel,
  fc.record({ type: fc.constant("thinking_level_change"), thinkingLevel: fc.constant(null), configured: name }),
  fc.record({ type: fc.constant("ttsr_injection"), injectedRules: fc.array(name) }),
  fc.record({ type: fc.constant("session_init"), systemPrompt: text, task: text, tools: fc.array(name) }),
  fc.record(
    { type: fc.constant("mode_change"), mode: fc.constantFrom("none", "plan"), data: jsonObject },
    { requiredKeys: ["type", "mode"] },
  ),
  fc.record({ type: fc.constant("model_usage"), model: name, usage: jsonObject }),
  fc.record({ type: fc.constant("reset_boundary") }),
  fc.record({ type: fc.constant("title_change"), title: text, source: name }),
  fc.record({ type: fc.constantFrom("service_tier_change", "credential_pin", "mcp_tool_selection"), value: jsonValue }),
)

/** Bodies of unknown kinds. */
export const unknownBody: fc.Arbitrary<EntryBody> = fc
  .tuple(fc.constantFrom("hologram", "toString", "__proto__", "x y"), jsonObject)
  .map(([type, { type: _, id: _id, parentId: _parent, timestamp: _time, ...fields }]) => ({ type, ...fields }))

export const anyBody: fc.Arbitrary<EntryBody> = fc.oneof(
  { weight: 4, arbitrary: piBody },
  { weight: 2, arbitrary: xcshBody },
  { weight: 1, arbitrary: unknownBody },
)

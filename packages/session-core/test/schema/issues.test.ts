import { checkEntry, headerSchema } from "@treelog/session-core/schema"
import { expect, it } from "vitest"

const entry = (fields: object) => ({ id: "a", parentId: null, timestamp: "2026-03-07T14:00:00.000Z", ...fields })
const message = (fields: object) => entry({ type: "message", message: { timestamp: 1, ...fields } })

/** The paths of the issues, as one would write them. */
function pathsOf(value: unknown): string[] {
  const check = checkEntry(value)
  return check.ok ? [] : check.issues.map(({ path }) => path.join("."))
}

it.each<[what: string, value: unknown, paths: string[]]>([
  ["no object", 7, [""]],
  ["null", null, [""]],
  ["an array", [], [""]],
  ["no type", entry({}), ["type"]],
  ["a type that is no string", entry({ type: 1 }), ["type"]],
  ["an unknown type without id and parent", { type: "new", timestamp: "" }, ["id", "parentId"]],
  ["an empty id", entry({ type: "reset_boundary", id: "" }), ["id"]],
  ["a type that objects inherit", { type: "constructor", id: "a", parentId: 1, timestamp: "" }, ["parentId"]],
  ["a message entry without message", entry({ type: "message" }), ["message"]],
  ["a message without role", message({}), ["message.role"]],
  ["null content", message({ role: "user", content: null }), ["message.content"]],
  [
    "an assistant of text",
    message({ role: "assistant", content: "Hi", provider: "a", model: "b" }),
    ["message.content"],
  ],
  [
    "a bad block deep in a message",
    message({
      role: "user",
      content: [
        { type: "text", text: "ok" },
        { type: "toolCall", id: "1", name: 2, arguments: {} },
      ],
    }),
    ["message.content.1.name"],
  ],
  [
    "a usage without numbers",
    message({
      role: "assistant",
      content: [],
      provider: "a",
      model: "b",
      usage: { input: "1", output: 1, cacheRead: 0 },
    }),
    ["message.usage.input", "message.usage.cacheWrite"],
  ],
  [
    "a bash run without flags",
    message({ role: "bashExecution", command: "ls", output: "" }),
    ["message.cancelled", "message.truncated"],
  ],
  ["a model change that names none", entry({ type: "model_change", provider: "a" }), ["model"]],
  ["a model name without provider", entry({ type: "model_change", model: "opus" }), ["model"]],
  ["a thinking level that is absent", entry({ type: "thinking_level_change" }), ["thinkingLevel"]],
  ["a compaction without its fields", entry({ type: "compaction" }), ["summary", "tokensBefore"]],
  [
    "a checkpoint that is none",
    entry({
      type: "compaction",
      summary: "",
      tokensBefore: 1,
      settings: { thinkingLevel: "off", model: {}, models: {}, mode: "none", injectedTtsrRules: [1] },
    }),
    [
      "settings.model.provider",
      "settings.model.modelId",
      "settings.injectedTtsrRules.0",
      "settings.defaultModelIsExplicit",
    ],
  ],
  ["a branch summary from nowhere", entry({ type: "branch_summary", summary: "" }), ["fromId"]],
  ["a custom entry without its type", entry({ type: "custom" }), ["customType"]],
  [
    "a custom message that calls a tool",
    entry({ type: "custom_message", customType: "m", display: true, content: [{ type: "toolCall" }] }),
    ["content.0.type", "content.0.data", "content.0.mimeType"],
  ],
  ["a label on nothing", entry({ type: "label", label: "x" }), ["targetId"]],
  ["a name that is a number", entry({ type: "session_info", name: 1 }), ["name"]],
  ["rules that are one string", entry({ type: "ttsr_injection", injectedRules: "all" }), ["injectedRules"]],
  ["a session_init without tools", entry({ type: "session_init", systemPrompt: "", task: "" }), ["tools"]],
  ["a mode that is null", entry({ type: "mode_change", mode: null }), ["mode"]],
  ["an edit without replacement", entry({ type: "context_edit", targetId: "a" }), ["replacement"]],
  ["a title that is absent", entry({ type: "title_change" }), ["title"]],
  ["a leaf without target", entry({ type: "leaf" }), ["targetId"]],
])("checkEntry names where it is wrong: %s", (_what, value, paths) => {
  expect(pathsOf(value)).toEqual(paths)
})

it("an issue says what was expected and what is there", () => {
  expect(checkEntry(entry({ type: "mode_change", mode: null }))).toEqual({
    ok: false,
    issues: [{ path: ["mode"], message: "Invalid input: expected string, received null" }],
  })
  expect(checkEntry(entry({ type: "model_change" }))).toMatchObject({
    issues: [{ message: 'Expected provider and modelId, or a model of the form "provider/modelId"' }],
  })
})

it("a header without id, or of another type, is none", () => {
  const result = headerSchema.safeParse({ type: "title", id: "", timestamp: "", cwd: "", version: "3" })
  expect(result.error?.issues.map(({ path }) => path.join("."))).toEqual(["type", "version", "id"])
})

import { readFileSync, writeFileSync } from "node:fs"
import { assistantMessage, entry, messageEntry, toolResultMessage } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "./sandbox.js"

const MARK = "how-deep-it-goes"
const WHERE = "deep call result odd bash custom mode unknown said summary compaction last".split(" ")

/** A session with values that are nested this deeply, wherever a session can hold a value. */
function storeDeep(box: Sandbox, depth: number, where: readonly string[]): void {
  const deep = `${'{"a":["text of the level",'.repeat(depth / 2)}"bottom"${"]}".repeat(depth / 2)}`
  const lines = [
    messageEntry("user", null, { role: "user", content: "How deep is it?", timestamp: 1 }),
    messageEntry("call", "user", {
      ...assistantMessage(""),
      content: [
        { type: "toolCall", id: "c", name: "dig", arguments: { [MARK]: MARK } },
        { type: "other", [MARK]: MARK },
      ],
    }),
    messageEntry("result", "call", toolResultMessage("done", { toolCallId: "c", details: MARK })),
    messageEntry("odd", "result", { role: "odd", [MARK]: MARK }),
    messageEntry("bash", "odd", { role: "bashExecution", command: MARK, output: MARK, timestamp: 2 }),
    entry("custom", "custom", "bash", { customType: "x", data: MARK }),
    entry("mode_change", "mode", "custom", { mode: "plan", data: MARK }),
    entry("unknown_kind", "unknown", "mode", { data: MARK }),
    entry("custom_message", "said", "unknown", {
      customType: "x",
      content: [{ type: "text", text: MARK }],
      display: true,
      details: MARK,
    }),
    entry("branch_summary", "summary", "said", { fromId: "root", summary: MARK }),
    entry("compaction", "compaction", "summary", {
      summary: "s",
      firstKeptEntryId: "user",
      tokensBefore: 1,
      details: MARK,
      settings: {
        thinkingLevel: "off",
        model: { provider: "test", modelId: "m" },
        models: {},
        mode: "plan",
        modeData: MARK,
        injectedTtsrRules: [],
      },
    }),
    messageEntry("last", "compaction", {
      role: "user",
      content: [{ type: "image", mimeType: "image/png", data: MARK }],
      timestamp: 3,
    }),
  ]
  const path = box.store(lines, { id: "deep", [MARK]: MARK })
  const isDeep = (line: string): boolean => where.some((id) => line.includes(`"id":"${id}"`))
  const text = readFileSync(path, "utf8").split("\n")
  const deepened = text.map((line) => (isDeep(line) ? line.replaceAll(`:"${MARK}"`, () => `:${deep}`) : line))
  writeFileSync(path, deepened.join("\n"))
}

const COMMANDS = [
  ["list"],
  ["list", "--json"],
  ["show", "@last"],
  ["show", "@last", "--full"],
  ["show", "@last", "--json"],
  ["tree", "@last"],
  ["tree", "@last", "--json"],
  ["context", "@last"],
  ["context", "@last", "--json"],
  ["context", "@last", "--llm", "anthropic"],
  ["context", "@last", "--llm", "openai-responses"],
  ["context", "@last", "--llm", "openai", "--repair"],
  ["stats", "@last"],
  ["stats", "--all"],
  ["stats", "--all", "--disk"],
  ["verify", "@last"],
  ["verify", "--all"],
  ["repair", "@last", "--dry-run"],
  ["scan", "@last"],
  ["scan", "--all"],
  ["export", "@last", "--format", "md"],
  ["export", "@last", "--format", "text"],
  ["export", "@last", "--format", "json"],
  ["export", "@last", "--format", "jsonl"],
  ["compact", "@last", "--dry-run"],
  ["blobs", "slim", "@last", "--dry-run"],
  ["blobs", "inflate", "@last", "--dry-run"],
  ["delete", "--older-than", "1d"],
  ["blobs", "gc"],
  ["resume", "--query", "deep"],
  ["fork", "@last"],
  ["branch", "@last", "odd"],
  ["repair", "--migrate", "--all"],
]

async function expectEveryCommand(depth: number, where: readonly string[]): Promise<void> {
  const box = sandbox()
  storeDeep(box, depth, where)
  const failed: string[] = []
  for (const command of COMMANDS) {
    const { code, stderr } = await box.run(command)
    // 4: there is something to repair, as the unknown text of an image is.
    if ((code !== 0 && code !== 4) || /call stack|RangeError|InternalError/.test(stderr))
      failed.push(`treelog ${command.join(" ")}: ${code}: ${stderr.slice(0, 300)}`)
  }
  expect(failed).toEqual([])
}

test("every command takes values that are nested 6,000 levels deep, wherever a session can hold a value", () =>
  expectEveryCommand(6_000, WHERE))

// Several times what a recursive function has of a stack.
test("every command takes arguments of a tool that are nested 30,000 levels deep", () =>
  expectEveryCommand(30_000, ["call"]))

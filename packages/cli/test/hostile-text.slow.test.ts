import { join } from "node:path"
import { SqlitePromptHistory } from "@treelog/history-sqlite"
import { assistantMessage, entry, messageEntry, toolResultMessage } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { storeBlob } from "./images.js"
import { type Sandbox, sandbox } from "./sandbox.js"

/** Everything that a terminal might obey: C0 but LF, DEL, C1, what steers the reading direction, the Unicode line ends. */
const OBEYED = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u

const ALL = [
  ...range(0x00, 0x1f),
  ...range(0x7f, 0x9f),
  ...[0x061c, 0x200e, 0x200f, 0x2028, 0x2029],
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
]
const CONTROLS = String.fromCharCode(...ALL)
const ESCAPE = String.fromCharCode(0x1b)
/** Each alone, and the sequences that do harm: a title, cleared screen, colours, hyperlink, half a sequence at the end. */
const HOSTILE = `<${CONTROLS}${ESCAPE}]0;title${String.fromCharCode(7)}${ESCAPE}[2J${ESCAPE}[31m${ESCAPE}]8;;http://x${ESCAPE}\\x${ESCAPE}[>`

function hostileSession(box: Sandbox): string {
  let parentId: string | null = null
  let count = 0
  const next = (type: string, fields: Record<string, unknown>, make = entry): object => {
    count += 1
    const id = `${HOSTILE}${count}`
    const made = make(type, id, parentId, { timestamp: HOSTILE, ...fields })
    parentId = id
    return made
  }
  const message = (fields: Record<string, unknown>): object => next("message", { message: fields })
  const text = { type: "text", text: HOSTILE }
  const blocks = [
    text,
    { type: "thinking", thinking: HOSTILE },
    { type: "toolCall", id: HOSTILE, name: HOSTILE, arguments: { [HOSTILE]: HOSTILE } },
    { type: "image", mimeType: HOSTILE, data: `blob:sha256:${HOSTILE}` },
    { type: HOSTILE, [HOSTILE]: HOSTILE },
  ]
  const entries = [
    messageEntry(`${HOSTILE}again`, HOSTILE, { role: "user", content: HOSTILE, timestamp: 1 }),
    message({ role: "user", content: HOSTILE, timestamp: 1 }),
    message({ ...assistantMessage("", { model: HOSTILE, provider: HOSTILE }), content: blocks }),
    message({ ...assistantMessage("", { stopReason: "error", errorMessage: HOSTILE }), content: [] }),
    message({ ...toolResultMessage("", { toolName: HOSTILE, toolCallId: HOSTILE }), content: [text] }),
    message({
      role: "bashExecution",
      command: HOSTILE,
      output: HOSTILE,
      exitCode: 1,
      truncated: true,
      fullOutputPath: HOSTILE,
    }),
    message({ role: HOSTILE, [HOSTILE]: HOSTILE }),
    message({ role: "system", content: "", [HOSTILE]: 1 }),
    next("custom_message", { customType: HOSTILE, content: HOSTILE, display: true }),
    next("branch_summary", { fromId: HOSTILE, summary: HOSTILE }),
    next("model_change", { provider: HOSTILE, modelId: HOSTILE, role: HOSTILE }),
    next("thinking_level_change", { thinkingLevel: HOSTILE }),
    next("mode_change", { mode: HOSTILE }),
    next("ttsr_injection", { injectedRules: [HOSTILE] }),
    next("label", { targetId: `${HOSTILE}1`, label: HOSTILE }),
    next("label", { targetId: HOSTILE, label: HOSTILE }),
    next("session_info", { name: HOSTILE }),
    next("custom", { customType: HOSTILE }),
    next("session_init", { task: HOSTILE }),
    next("leaf", { targetId: HOSTILE }),
    next(HOSTILE, { data: HOSTILE }),
    next("context_edit", { targetId: HOSTILE, replacement: 1 }),
    next("compaction", { summary: HOSTILE, firstKeptEntryId: HOSTILE, tokensBefore: 1 }),
    `{"${HOSTILE}`,
  ]
  return box.store(entries, { id: "hostile", parentSession: HOSTILE, title: HOSTILE, [HOSTILE]: HOSTILE })
}

const COMMAND_LINES: (string | undefined)[][] = [
  ["list", "--all"],
  ["list", "--all", "--limit", "9"],
  ["resume", "--query", "title", "--all"],
  ["resume", "hostile"],
  ["resume", HOSTILE],
  ["resume", "--query", HOSTILE],
  ["tree", "hostile", "--select", `${HOSTILE}2`, "--summarizer", "cat; cat >&2"],
  ["fork", "hostile", "--before", `${HOSTILE}2`],
  ["show", "hostile"],
  ["show", "hostile", "--full"],
  ["tree", "hostile"],
  ["tree", "hostile", "--filter", "all"],
  ["context", "hostile"],
  ["context", "hostile", "--full"],
  ["verify", "hostile"],
  ["verify", "--all"],
  ["name", "hostile"],
  ["fork", "hostile"],
  ["append", "hostile", "--role", "user", "--text", HOSTILE],
  ["label", "hostile", HOSTILE, HOSTILE],
  ["branch", "hostile", HOSTILE],
  ["branch", "hostile", HOSTILE, "--summarize", "cat; cat >&2"],
  ["branch", "hostile", "root", "--summarize", "cat; cat >&2"],
  ["branch", "hostile", "root", "--summarize", "cat >&2; exit 1"],
  ["branch", "hostile", "root", "--summarize", HOSTILE],
  ["compact", "hostile", "--keep", "1", "--summarizer", "tee /dev/stderr"],
  ["compact", "hostile", "--keep", "1", "--summarizer", "cat >&2; exit 1"],
  ["compact", "hostile", "--keep", "1", "--summarizer", HOSTILE.replaceAll(String.fromCharCode(0), "")],
  ["compact", "hostile", "--keep", "1", "--summary", HOSTILE],
  ["compact", "hostile", "--keep", "1", "-n", "-v", "--instructions", HOSTILE],
  ["context", "hostile", "--llm", "anthropic"],
  ["context", "hostile", "--llm", "openai", "--repair"],
  ["context", "hostile", "--llm", "openai-responses", "--repair", "--provider", HOSTILE],
  ["context", "hostile", "--llm", "ai-sdk", "--repair"],
  ["stats", "hostile"],
  ["stats", "hostile", "--files"],
  ["stats", "--all", "--files"],
  ["stats", "--by", "session"],
  ["stats", "--by", "model", "--all"],
  ["stats", "--by", "project", "--all"],
  ["stats", "--since", HOSTILE],
  ["search", "title", "--all"],
  ["search", "title", "--all", "--context", "2"],
  ["search", HOSTILE],
  ["search", "title", "--session", HOSTILE],
  ["search", `role:${HOSTILE}`],
  ["files", HOSTILE],
  ["index", "--update"],
  ["watch", "hostile", "--from-start"],
  ["view", "hostile"],
  ["repair", "hostile"],
  ["repair", "--migrate", "hostile"],
  ["repair", "--migrate", "--all"],
  ["blobs", "slim", "hostile"],
  ["blobs", "inflate", "hostile"],
  ["blobs", "ls", "--blobs", HOSTILE],
  ["blobs", "verify", "--blobs", HOSTILE],
  ["blobs", "gc", "--root", HOSTILE],
  ["blobs", "gc", "--allow-unparsable"],
  ["blobs", "gc", "--grace", HOSTILE],
  ["blobs", HOSTILE],
  ["scan", "hostile"],
  ["scan", "--all"],
  ["scan", HOSTILE],
  ["import", HOSTILE],
  ["import", "../agent/sessions/x.jsonl"],
  ["export", "hostile", "-o", "out.md", "--all-branches"],
  ["export", "hostile", "-o", "out.txt"],
  ["export", "hostile", "--leaf", HOSTILE],
  ["export", HOSTILE],
  ["delete", "hostile"],
  ["delete", HOSTILE],
  ["delete", "--all", "--older-than", "0", "--include-named", "--include-labelled"],
  ["delete", "--all", "--older-than", "0", "--apply"],
  ["delete", "--max-size", HOSTILE],
  ["trash", "restore", HOSTILE],
  ["relocate", "--from", ".", "--to", HOSTILE.replaceAll(String.fromCharCode(0), "")],
  ["relocate", "--from", HOSTILE, "--to", "."],
  ["stats", "--disk"],
  ["show", HOSTILE],
  ["show", "hostile", "--leaf", `${HOSTILE}nothing`],
  ["append", "hostile", `${HOSTILE}`],
  ["new", "--id", HOSTILE],
  [HOSTILE],
  ["list", `--${HOSTILE}`],
]

/** A name that a terminal shows, and `-t` selects. */
const named = COMMAND_LINES.map((argv) => ({ command: argv[0] === HOSTILE ? "no command" : argv[0], argv }))

test.each(named)("nothing of it reaches the terminal: $command %#", async ({ argv }) => {
  const box = sandbox()
  hostileSession(box)
  box.store([`{"type":"${HOSTILE}`], { id: "broken", cwd: `/${HOSTILE}` })
  box.write(box.store([], { id: "other" }).slice(box.folder.length), `${JSON.stringify({ type: HOSTILE })}\n`)
  storeBlob(box, "blob")
  const given = argv.filter((part) => part !== undefined)
  const world = given[0] === "watch" || given[0] === "view" ? { interrupted: AbortSignal.abort() } : {}
  const { stdout, stderr } = await box.run(given, world)
  expect(stdout + stderr).not.toBe("")
  expect(stdout).not.toMatch(OBEYED)
  expect(stderr).not.toMatch(OBEYED)
  const json = await box.run([...given, "--json"], world)
  expect(json.stdout).not.toMatch(OBEYED)
  expect(json.stderr).not.toMatch(OBEYED)
  for (const line of `${json.stdout}${json.stderr}`.split("\n").filter(Boolean))
    expect(() => JSON.parse(line)).not.toThrow()
  const debug = await box.run([...given, "--debug"], world)
  expect(debug.stderr).not.toMatch(OBEYED)
})

test.each([
  ["trash", "ls"],
  ["trash", "empty"],
  ["trash", "empty", "--apply"],
  ["trash", "restore", "--last"],
  ["trash", "restore", "hostile"],
])("nothing of what is in the trash reaches the terminal: %s %s %s", async (...argv) => {
  const box = sandbox()
  hostileSession(box)
  await box.print("delete", "hostile")
  const given = argv.filter((part) => part !== undefined)
  const json = await box.run([...given, "--json", "--debug"])
  const { stdout, stderr } = await box.run(given)
  for (const text of [stdout, stderr, json.stdout, json.stderr]) expect(text).not.toMatch(OBEYED)
})

test.each([
  ["zsh", "--", "show", "--all", ""],
  ["zsh", "--json", "--", "show", "--all", ""],
  ["bash", "--", "treelog show --all ", ""],
  ["zsh", "--", HOSTILE, HOSTILE],
])("nothing of it reaches the terminal when a word is completed: %#", async (...argv) => {
  const box = sandbox()
  hostileSession(box)
  const { code, stdout } = await box.run(["completion", ...argv])
  expect(code).toBe(0)
  expect(stdout).not.toMatch(OBEYED)
})

test.each(["md", "text", "jsonl", "json"])("nothing of an export as %s reaches the terminal", async (format) => {
  const box = sandbox()
  hostileSession(box)
  const given = ["export", "hostile", "--format", format, "--all-branches"]
  for (const more of [[], ["--no-redact"]]) {
    const { stdout, stderr } = await box.run([...given, ...more], { isTTY: true })
    expect(stdout).not.toBe("")
    expect(stdout).not.toMatch(OBEYED)
    expect(stderr).not.toMatch(OBEYED)
  }
})

test("JSON gives the stored text back, character by character", async () => {
  const box = sandbox()
  hostileSession(box)
  const { json } = await box.run(["show", "hostile", "--json"])
  expect(json[0]?.items).toHaveLength(22)
  expect(json[0]?.items).toMatchObject([{ entry: { message: { content: HOSTILE } } }, ...Array(21).fill({})])
})

test("colours are the only sequences on a terminal with colours", async () => {
  const box = sandbox()
  hostileSession(box)
  for (const command of ["show", "tree", "context"]) {
    const { stdout } = await box.run([command, "hostile"], { isTTY: true, columns: 80 })
    const colours = new RegExp(`${ESCAPE}\\[\\d+m`, "g")
    expect(stdout).toMatch(colours)
    expect(stdout.replace(colours, "")).not.toMatch(OBEYED)
  }
})

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

test("treelog search --prompts prints none of them", async () => {
  const box = sandbox()
  hostileSession(box)
  const history = new SqlitePromptHistory({ path: join(box.agentDir, "history.db") })
  history.add(HOSTILE, { sessionId: HOSTILE, cwd: `/${HOSTILE}` })
  await history.close()
  const ofClaude = { display: HOSTILE, timestamp: 1_770_000_000_000, project: box.project, pastedContents: {} }
  box.write(".claude/history.jsonl", `${JSON.stringify(ofClaude)}\n`)
  box.write(".claude/projects/x/y.jsonl", "")
  for (const words of [[], [HOSTILE], ["nothing like it"]])
    for (const more of [["--all"], ["--json"], ["--debug", "--all"]]) {
      const { stdout, stderr } = await box.run(["search", "--prompts", ...more, "--", ...words])
      expect(stdout).not.toMatch(OBEYED)
      expect(stderr).not.toMatch(OBEYED)
    }
})

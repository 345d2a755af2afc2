import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { SqlitePromptHistory } from "@treelog/history-sqlite"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

const HOUR = 3_600_000
const NOW = Date.parse("2026-03-07T15:00:00.000Z")

/** Prompts of treelog's own history, of Claude Code and of Codex, an hour apart. */
async function withPrompts(): Promise<Sandbox> {
  const box = sandbox()
  box.store([userEntry("one", null, "Only in a session")])
  const history = new SqlitePromptHistory({ path: join(box.agentDir, "history.db"), clock: { now: () => NOW - HOUR } })
  history.add("Fix the moonstone test", { cwd: box.project })
  await history.close()
  for (const folder of [".claude/projects", ".codex/sessions"]) mkdirSync(join(box.folder, folder), { recursive: true })
  const ofClaude = [
    { display: "Why moonstone?", timestamp: NOW - 2 * HOUR, project: box.project, pastedContents: {} },
    {
      ...{ display: "See [Pasted text #1 +2 lines]", timestamp: NOW - 50 * HOUR, project: "/elsewhere" },
      pastedContents: { 1: { id: 1, type: "text", content: "chalcedony\nand moonstone" } },
    },
  ]
  box.write(".claude/history.jsonl", ofClaude.map((line) => `${JSON.stringify(line)}\n`).join(""))
  box.write(
    ".codex/history.jsonl",
    `{"session_id":"s","ts":${(NOW - 3 * HOUR) / 1000},"text":"A moonstone of no folder"}\n`,
  )
  return box
}

test("--prompts finds what every program keeps of prompts, newest first, and says whose they are", async () => {
  const box = await withPrompts()
  const { code, json } = await box.run(["search", "--prompts", "moonstone", "--all", "--json"])
  expect(code).toBe(0)
  expect(json).toEqual([
    { v: 1, store: "treelog", text: "Fix the moonstone test", createdAt: NOW - HOUR, cwd: box.project },
    expect.objectContaining({ store: "claude-code", text: "Why moonstone?", cwd: box.project }),
    expect.objectContaining({ store: "codex", text: "A moonstone of no folder", sessionId: "s" }),
    expect.objectContaining({ store: "claude-code", text: "See chalcedony\nand moonstone", cwd: "/elsewhere" }),
  ])
  const { stdout, stderr } = await box.run(["search", "--prompts", "moonstone", "--all"])
  expect(stdout.split("\n")[0]).toMatch(/^STORE +AGE +FOLDER +PROMPT$/)
  expect(stderr).toBe(
    "These are of what treelog, claude-code and codex keep of prompts; `treelog search --role user` finds what was said in sessions.\n",
  )
})

test("--prompts takes the folder, times and a limit", async () => {
  const box = await withPrompts()
  const texts = async (...argv: string[]) => {
    const { json } = await box.run(["search", "--prompts", ...argv, "--json"], { now: () => NOW })
    return json.map(({ text }) => text)
  }
  expect(await texts("moonstone")).toEqual(["Fix the moonstone test", "Why moonstone?"])
  expect(await texts("moonstone", "--all", "--since", "1d")).toHaveLength(3)
  expect(await texts("moonstone", "--all", "--until", "1d")).toEqual(["See chalcedony\nand moonstone"])
  expect(await texts("--all", "--limit", "1")).toEqual(["Fix the moonstone test"])
  expect((await box.run(["search", "--prompts", "--all", "--limit", "1"])).stderr).toContain("There are more prompts")
})

test("--prompts without any in the histories searches what was said in sessions", async () => {
  const box = await withPrompts()
  const { code, stdout, stderr } = await box.run(["search", "--prompts", "Only", "in", "a", "session"])
  expect([code, stdout]).toEqual([0, expect.stringContaining("Only in a session")])
  expect(stderr).toContain("Not in what treelog, claude-code and codex keep of prompts; searching what was said")
})

test("a history that cannot be read is named, and the others are searched", async () => {
  const box = await withPrompts()
  box.write("agent/history.db", "this is no database, but long enough to be taken for one that is damaged".repeat(9))
  const { json, stderr } = await box.run(["search", "--prompts", "moonstone", "--all", "--json"])
  expect(json.map(({ store }) => store)).toEqual(["claude-code", "codex", "claude-code"])
  expect(JSON.parse(stderr).warning.message).toMatch(/^The prompts of treelog cannot be read: /)
})

test("lines that are no prompt are counted, and what is no file is named instead of waited for", async () => {
  const box = await withPrompts()
  const path = box.write(
    ".codex/history.jsonl",
    '{"session_id":"s","ts":1770000000,"text":"moonstone"}\nnull\n{"text":{"toString":1}}\n',
  )
  const { stdout, stderr } = await box.run(["search", "--prompts", "moonstone", "--all"])
  expect([stdout, stderr]).toEqual([
    expect.stringContaining("codex"),
    expect.stringContaining(`2 lines of ${path} contained no prompt.\n`),
  ])
  rmSync(path)
  execFileSync("mkfifo", [path])
  expect((await box.run(["search", "--prompts", "moonstone", "--all"])).stderr).toContain(
    `The prompts of codex cannot be read: ${path} is not a file.`,
  )
})

test("--prompts refuses filters that prompts do not have", async () => {
  const { code, stderr } = await (await withPrompts()).run(["search", "--prompts", "x", "--model", "opus"])
  expect([code, stderr]).toEqual([2, "treelog: --prompts takes words, --since, --until and --limit, and no --model.\n"])
})

test("--prompts finds what an agent keeps of prompts also where none of its sessions is left", async () => {
  const box = await withPrompts()
  for (const folder of [".claude/projects", ".codex/sessions"]) rmSync(join(box.folder, folder), { recursive: true })
  const { json } = await box.run(["search", "--prompts", "moonstone", "--all", "--json"])
  expect(json.map(({ store }) => store)).toEqual(["treelog", "claude-code", "codex", "claude-code"])
})

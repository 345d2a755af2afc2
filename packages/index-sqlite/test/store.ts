import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { FileSessionStorage } from "@treelog/storage-fs"
import { tempFolder } from "./temp-folder.js"

const START = Date.UTC(2026, 0, 5, 8)
const MINUTE = 60_000
const PARTS = [
  "retry",
  "Flaky",
  "clock",
  "build",
  "retryPolicy",
  "index.ts",
  "café",
  "修复重试",
  "テストを直す",
  "재시도",
  "a_b",
  "50%",
]

/** Texts that differ, of words that many share. */
export function textOf(seed: number): string {
  const word = (at: number): string => PARTS[(seed * 31 + at * at * 7 + (seed >> 3)) % PARTS.length] ?? ""
  return `${word(1)} ${word(2)} x${(seed * 2654435761) % 9973} ${word(seed % 5)}-${word(3)} n${seed}`
}

/** A line of a session: user, assistant, tool call and tool result take turns. */
export function lineOf(session: number, at: number): string {
  const timestamp = new Date(START + (session * 50 + at) * MINUTE).toISOString()
  const text = textOf(session * 1009 + at)
  const usage = { input: 3, output: at, cacheRead: 0, cacheWrite: 0, totalTokens: 3 + at, cost: { total: 0.25 } }
  const by = { provider: "anthropic", model: `claude-${session % 3}`, usage }
  const call = { type: "toolCall", id: "c", name: "edit", arguments: { path: `src/${session % 7}/index.ts`, text } }
  const message = [
    { role: "user", content: text },
    { role: "assistant", content: [{ type: "text", text }], ...by },
    { role: "assistant", content: [call], ...by },
    { role: "toolResult", toolName: "edit", toolCallId: "c", content: [{ type: "text", text: `${text} ${text}` }] },
  ][at % 4]
  const entry = {
    type: "message",
    id: `e${session}-${at}`,
    parentId: at === 0 ? null : `e${session}-${at - 1}`,
    timestamp,
    message,
  }
  return `${JSON.stringify(entry)}\n`
}

export interface TestStore {
  readonly agentDir: string
  /** Where an index of it can be. */
  readonly indexPath: string
  readonly storage: FileSessionStorage
  readonly paths: readonly string[]
  append(session: number, text: string): void
}

/** A store of files with sessions of some entries each. */
export function testStore(sessions: number, entries: number): TestStore {
  const folder = tempFolder()
  const agentDir = join(folder, "agent")
  const paths = Array.from({ length: sessions }, (_, session) => {
    const cwd = `/home/dev/project-${session % 4}`
    const bucket = join(agentDir, "sessions", `--home-dev-project-${session % 4}--`)
    mkdirSync(bucket, { recursive: true })
    const timestamp = new Date(START + session * 50 * MINUTE).toISOString()
    const header = { type: "session", version: 3, id: `s${session}`, timestamp, cwd }
    const lines = Array.from({ length: entries }, (_, at) => lineOf(session, at))
    const path = join(bucket, `${timestamp.replace(/[:.]/g, "-")}_s${session}.jsonl`)
    writeFileSync(path, `${JSON.stringify(header)}\n${lines.join("")}`)
    return path
  })
  return {
    agentDir,
    indexPath: join(folder, "cache", "index.db"),
    storage: new FileSessionStorage({ agentDir, cacheDir: null, terminalId: "test" }),
    paths,
    append: (session, text) => appendFileSync(paths[session % paths.length] ?? "", text),
  }
}

import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  assistantEntry,
  entry,
  messageEntry,
  sessionText,
  TEST_START,
  testHeader,
  userEntry,
  userMessage,
} from "@treelog-internal/test-kit"
import type { Sandbox } from "../../sandbox.js"

const HOUR = 3_600_000

export interface StoredSession {
  readonly name?: string
  /** What is said first. */
  readonly first: string
  /** What is said afterwards. */
  readonly prompts?: readonly string[]
  readonly cwd?: string
}

/** Stores a session for each, the first one the newest. Their ids are `s0`, `s1`, … */
export function storeSessions({ agentDir, project }: Sandbox, sessions: Iterable<StoredSession>): void {
  let at = 0
  for (const { name, first, prompts = [], cwd = project } of sessions) {
    const id = `s${at}`
    const timestamp = new Date(TEST_START - at * HOUR).toISOString()
    const said = [first, ...prompts].map((text, index) => {
      const message = userMessage(text, { timestamp: Date.parse(timestamp) })
      return { ...messageEntry(`u${index}`, index === 0 ? null : `u${index - 1}`, message), timestamp }
    })
    const named = name === undefined ? [] : [entry("session_info", "name", `u${prompts.length}`, { name })]
    const folder = sessionsFolder(agentDir, cwd)
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true })
    const header = testHeader({ id, cwd, timestamp })
    writeFileSync(
      join(folder, `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`),
      sessionText(header, ...said, ...named),
    )
    at += 1
  }
}

export function sessionsFolder(agentDir: string, cwd: string): string {
  return join(agentDir, "sessions", `--${cwd.slice(1).replaceAll("/", "-")}--`)
}

/** Two branches at `bbbb0003`, the second one with CJK and emoji, and so is a label. */
export function forkedEntries(): object[] {
  return [
    userEntry("bbbb0001", null, "Add a discount field"),
    assistantEntry("bbbb0002", "bbbb0001", "Where to?"),
    userEntry("bbbb0003", "bbbb0002", "Into the checkout form"),
    assistantEntry("bbbb0004", "bbbb0003", "Done."),
    userEntry("bbbb0005", "bbbb0004", "Rewrite it all"),
    assistantEntry("bbbb0006", "bbbb0005", "Rewritten."),
    userEntry("bbbb0007", "bbbb0004", "変更日志を更新して 🎉\nand nothing else"),
    assistantEntry("bbbb0008", "bbbb0007", "更新しました ✅"),
  ]
}

import { join } from "node:path"
import {
  type Prompt,
  type PromptListOptions,
  type PromptOrigin,
  SqlitePromptHistory,
  type SqlitePromptHistoryOptions,
} from "@treelog/history-sqlite"
import { onTestFinished } from "vitest"
import { tempFolder } from "./temp-folder.js"

/** A history of the file, without rules, closed with the test at the latest. */
export function openHistory(path: string, options: Partial<SqlitePromptHistoryOptions> = {}): SqlitePromptHistory {
  const history = new SqlitePromptHistory({ path, ignore: { secrets: false }, ...options })
  onTestFinished(async () => void (await Promise.allSettled([history.close()])))
  return history
}

/** A new history with shortcuts. Its clock advances by a minute at each call. */
export function newHistory(options: Partial<SqlitePromptHistoryOptions> = {}) {
  const path = join(tempFolder(), "history.db")
  let now = Date.UTC(2026, 2, 7, 14)
  const clock = { now: () => (now += 60_000) }
  const history = openHistory(path, { clock, ...options })
  return {
    history,
    clock,
    /** Adds prompts, a minute apart. */
    add(texts: readonly string[], origin?: PromptOrigin): void {
      for (const text of texts) history.add(text, origin)
    },
    recent: (listed?: PromptListOptions) => textsOf(history.recent(listed)),
    search: (query: string, listed?: PromptListOptions) => textsOf(history.search(query, listed)),
    stored: async () => (await history.stats()).stored,
    /** A second history over the same file. */
    reopen: () => openHistory(path, { clock }),
  }
}

export async function textsOf(prompts: Promise<Prompt[]>): Promise<string[]> {
  return (await prompts).map(({ text }) => text)
}

/** A prompt of the past: `minute` minutes after the start of a day long before the clock's time. */
export function past(text: string, minute: number, origin: PromptOrigin = {}) {
  return { text, createdAt: Date.UTC(2025, 0, 1) + minute * 60_000, ...origin }
}

/** `prompt 0`, `prompt 1` and so on. */
export function numbered(count: number, word = "prompt"): string[] {
  return Array.from({ length: count }, (_, number) => `${word} ${number}`)
}

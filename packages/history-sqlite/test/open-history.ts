import type { Prompt } from "@treelog/session-core/prompt-history"
import { onTestFinished } from "vitest"
import { SqlitePromptHistory, type SqlitePromptHistoryOptions } from "../src/index.js"

/** A history of the file, without rules, closed with the test at the latest. */
export function openHistory(path: string, options: Partial<SqlitePromptHistoryOptions> = {}): SqlitePromptHistory {
  const history = new SqlitePromptHistory({ path, ignore: { secrets: false }, ...options })
  onTestFinished(async () => void (await Promise.allSettled([history.close()])))
  return history
}

export async function textsOf(prompts: Promise<Prompt[]>): Promise<string[]> {
  return (await prompts).map(({ text }) => text)
}

import type { PromptStats } from "@treelog/session-core/prompt-history"
import { numberText, sizeText, timeAt } from "@treelog-internal/text"
import type { Fact } from "./fact-lines.js"

/** What the history holds. */
export function promptStatsFacts(
  { stored, folders, sessions, oldest, newest, bytes }: PromptStats,
  path: string,
): Fact[] {
  const time = (at: number | undefined): string => (at === undefined ? "-" : timeAt(at))
  return [
    ["prompts", numberText(stored)],
    ["folders", numberText(folders)],
    ["sessions", numberText(sessions)],
    ["oldest", time(oldest)],
    ["newest", time(newest)],
    ["size", bytes === undefined ? "-" : sizeText(bytes)],
    ["file", path],
  ]
}

import { containsTerms } from "@treelog/session-core/search"
import type { Connection } from "../database/connection.js"
import type { Prompt, PromptScope } from "../prompt.js"
import type { KeptPrompt } from "./kept-prompts.js"
import { isInPromptScope } from "./prompt-scope.js"
import { columnsOf, type HistoryRow, promptOf } from "./row.js"

interface Wanted {
  readonly terms: readonly string[]
  readonly scope: PromptScope
  readonly limit: number
}

/** Finds the newest prompts that contain the terms: distinct texts, newest first, at most `limit`. */
export function findPrompts({ prompts }: Connection, wanted: Wanted): Prompt[] {
  if (!(wanted.limit >= 1)) return []
  const newest = prompts.newest()
  const found = matching(newest.prompts, wanted)
  return newest.isAll || found.length >= wanted.limit ? found : matching(prompts.all(), wanted)
}

function matching(prompts: readonly KeptPrompt[], { terms, scope, limit }: Wanted): Prompt[] {
  const found = new Map<string, Prompt>()
  for (const { prompt, folded } of prompts) {
    if (!containsTerms(folded, terms) || !isInPromptScope(scope, prompt) || found.has(prompt.text)) continue
    found.set(prompt.text, prompt)
    if (found.size >= limit) break
  }
  return [...found.values()]
}

/** The prompt of a row. */
export function promptWithId(connection: Connection, id: number): Prompt | undefined {
  const row = connection.sql(`SELECT ${columnsOf(connection.shape)} FROM history WHERE id = ?`).get<HistoryRow>(id)
  return row && promptOf(row)
}

import { ageOf, cleanLine, folderLine, type Style } from "@treelog-internal/text"
import { type Column, tableLines } from "../../render/table.js"
import type { FoundPrompt } from "../../search/prompt-sources.js"

interface PromptTableOptions {
  readonly style: Style
  /** Milliseconds since 1970. */
  readonly now: number
  /** Prompts of several folders: say where each was given. */
  readonly withCwd: boolean
  readonly home: string | undefined
}

export function promptTable(prompts: readonly FoundPrompt[], options: PromptTableOptions): string[] {
  const { style, now, withCwd, home } = options
  const columns: Column<FoundPrompt>[] = [
    { title: "AGE", cell: ({ createdAt }) => ageOf(createdAt, now), align: "right" },
  ]
  if (prompts.some(({ store }) => store !== undefined))
    columns.unshift({ title: "STORE", cell: ({ store = "" }) => store })
  if (withCwd) columns.push({ title: "FOLDER", cell: ({ cwd }) => folderLine(cwd ?? "", home), most: 28, least: 12 })
  columns.push({ title: "PROMPT", cell: ({ text }) => cleanLine(text) })
  return tableLines(columns, prompts, style)
}

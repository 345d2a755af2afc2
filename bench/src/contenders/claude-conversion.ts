import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Contender } from "../question.js"
import { work } from "../work.js"

/** The id of the one session of a folder of Claude Code. */
export const CLAUDE_SESSION = "5e8f3f0e-8d3b-4c6f-9a55-0f2f6f7f3f6e"

/** Where it is. */
export function claudeSessionIn(folder: string): string {
  return join(folder, ".claude", "projects", "-home-ada-shop", `${CLAUDE_SESSION}.jsonl`)
}

/** Converts the session, and writes what it became into a cache, as the first command on it does. */
export const convertSession: Contender = async (folder, scratch) => {
  const { ClaudeCodeStorage } = await import("@treelog/agents/claude-code")
  const storage = new ClaudeCodeStorage({ dir: join(folder, ".claude"), cacheDir: join(scratch, "cache") })
  return work(
    () => storage.statContent(claudeSessionIn(folder)),
    (stat) => stat?.size ?? 0,
  )
}

/** Reads the file and parses each line: the least that a conversion can do. Generated files have a few lines that were cut off. */
export const readAndParseLines: Contender = async (folder) =>
  work(
    () => {
      let lines = 0
      for (const line of readFileSync(claudeSessionIn(folder), "utf8").split("\n")) if (isParsed(line)) lines += 1
      return lines
    },
    (lines) => lines,
  )

/** Whether a line is an object. */
export function isParsed(line: string): boolean {
  if (line === "") return false
  try {
    return typeof JSON.parse(line) === "object"
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

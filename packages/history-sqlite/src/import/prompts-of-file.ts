import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"
import type { ImportedPrompt } from "@treelog/session-core/prompt-history"

/**
 * The prompts of a file of one JSON object a line, read as they are asked for.
 * @param promptOf `claudePrompt` or `codexPrompt`
 * @param onSkipped told the number of each line, from 1 on, that holds no prompt
 * @throws the file system's own error where the file cannot be read
 */
export async function* promptsOfFile(
  path: string,
  promptOf: (line: string) => ImportedPrompt | undefined,
  onSkipped: (line: number) => void = () => {},
): AsyncGenerator<ImportedPrompt> {
  let number = 0
  for await (const line of createInterface({
    input: createReadStream(path, "utf8"),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    number++
    if (line.trim() === "") continue
    const prompt = promptOf(line)
    if (prompt === undefined) onSkipped(number)
    else yield prompt
  }
}

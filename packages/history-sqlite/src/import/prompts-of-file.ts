import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"
import type { ImportedPrompt } from "../prompt.js"

/**
 * Reads the prompts of a JSON Lines file, line by line.
 * @param promptOf `claudePrompt` or `codexPrompt`
 * @param onSkipped called with the number (from 1) of each line without a prompt
 * @throws the error of the file system when the file cannot be read
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

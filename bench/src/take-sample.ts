import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Sample } from "./question.js"

// Beside main.js in the bundle.
const SCRIPT = fileURLToPath(new URL("sample.js", import.meta.url))
const run = promisify(execFile)

/** Takes one sample in a fresh process. @throws when the work failed */
export async function takeSample(
  question: string,
  caseIndex: number,
  contender: string,
  folder: string,
): Promise<Sample> {
  const { stdout } = await run(process.execPath, [SCRIPT, question, String(caseIndex), contender, folder])
  return JSON.parse(stdout) as Sample
}

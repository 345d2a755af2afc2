import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { runtimeOf } from "./contenders/omp.js"
import type { Sample } from "./question.js"

// Beside main.js in the bundle.
const SCRIPT = fileURLToPath(new URL("sample.js", import.meta.url))
const run = promisify(execFile)

export interface SampleOrder {
  readonly question: string
  readonly caseIndex: number
  /** A contender, or a probe. */
  readonly who: string
  /** The case's. */
  readonly folder: string
}

/** Takes one sample in a fresh process. @throws when the work failed */
export async function takeSample({ question, caseIndex, who, folder }: SampleOrder): Promise<Sample> {
  const scratch = mkdtempSync(join(folder, "sample-"))
  try {
    const { stdout } = await run(runtimeOf(who), [SCRIPT, question, String(caseIndex), who, folder, scratch])
    return JSON.parse(stdout) as Sample
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

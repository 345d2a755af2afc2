import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundlePrograms } from "./programs.js"
import type { Trial, TrialResult } from "./trial.js"

/** Runs a trial in a folder of its own, which goes with it. */
export async function tryOut(
  trial: Trial,
  options: { count: number; seed: number; progress?: (done: number) => void },
): Promise<TrialResult> {
  const folder = await mkdtemp(join(tmpdir(), `treelog-${trial.name}-`))
  const programs = await bundlePrograms(await mkdtemp(join(tmpdir(), "treelog-programs-")))
  try {
    return await trial.run({ progress: () => undefined, ...options, folder, programs })
  } finally {
    await programs.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

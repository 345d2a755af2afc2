import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { FaultTest, FaultTestResult } from "./fault-test.js"
import { bundlePrograms } from "./programs.js"

/** Runs a fault-injection test in a folder of its own, and removes the folder. */
export async function runFaultTest(
  test: FaultTest,
  options: { count: number; seed: number; progress?: (done: number) => void },
): Promise<FaultTestResult> {
  const folder = await mkdtemp(join(tmpdir(), `treelog-${test.name}-`))
  const programs = await bundlePrograms(await mkdtemp(join(tmpdir(), "treelog-programs-")))
  try {
    return await test.run({ progress: () => undefined, ...options, folder, programs })
  } finally {
    await programs.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

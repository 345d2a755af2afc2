import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { FaultTest, FaultTestResult, Programs } from "./fault-test.js"

/** Runs a fault-injection test in a folder of its own, and removes the folder. */
export async function runFaultTest(
  test: FaultTest,
  options: { programs: Programs; count: number; seed: number; progress?: (done: number) => void },
): Promise<FaultTestResult> {
  const folder = await mkdtemp(join(tmpdir(), `treelog-${test.name}-`))
  try {
    return await test.run({ progress: () => undefined, ...options, folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

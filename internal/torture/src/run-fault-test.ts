import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type FaultTest, type FaultTestResult, Findings, type TrialOptions } from "./fault-test.js"
import { startServer, type TestServer } from "./postgres.js"

/** Runs a fault-injection test in a folder of its own, and removes the folder. */
export async function runFaultTest(
  test: FaultTest,
  options: Pick<TrialOptions, "count" | "seed" | "program"> & Partial<Pick<TrialOptions, "progress">>,
): Promise<FaultTestResult> {
  const folder = await mkdtemp(join(tmpdir(), `treelog-${test.name}-`))
  const findings = new Findings()
  let server: TestServer | undefined
  const own = {
    folder,
    findings,
    startServer: async () => {
      server = await startServer()
      return server
    },
  }
  try {
    const tried = (await test.run({ progress: () => undefined, ...options, ...own })) ?? options.count
    return typeof tried === "string" ? { tried: 0, ...findings, skipped: tried } : { tried, ...findings }
  } finally {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

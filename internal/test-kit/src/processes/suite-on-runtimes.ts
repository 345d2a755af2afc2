import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, onTestFinished, test } from "vitest"
import { RUNTIMES } from "../runtimes/index.js"
import { otherProcesses } from "./other-processes.js"

/**
 * Tests that a program's contract suite passes on the SQLite of each runtime; of Node 22 and 24, which have the same driver, on the older.
 * @param source the program, an absolute path: it gets a folder, and prints the name of its driver and a `SuiteReport`
 */
export function testOnEachRuntime(source: string): void {
  const programs = otherProcesses(source, { external: ["better-sqlite3"] })
  test.for(RUNTIMES.filter(({ name }) => name !== "Node 24"))(
    "the contract is kept on the SQLite of $name",
    async (runtime, { skip }) => {
      const { name, binary } = runtime
      if (binary === undefined) return skip(`no binary of ${name} comes from npm for this machine`)
      const folder = mkdtempSync(join(tmpdir(), "treelog-suite-"))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const { stdout } = await promisify(execFile)(binary, [programs.path, folder])
      const { driver, passed, failed } = JSON.parse(stdout)
      expect(driver).toContain(name)
      expect(failed).toEqual([])
      expect(passed).toBeGreaterThan(20)
    },
  )
}

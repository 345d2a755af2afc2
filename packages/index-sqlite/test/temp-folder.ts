import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

/** A new folder, gone with the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "treelog-index-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

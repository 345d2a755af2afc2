import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"

/** A temporary folder. */
export function temporaryBox() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "treelog-stores-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    /** Writes a file below the folder. @returns its absolute path */
    write(name: string, text: string): string {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      return path
    },
  }
}

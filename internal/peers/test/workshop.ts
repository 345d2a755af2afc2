import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"
import { writeLines } from "@treelog-internal/test-kit/generator"
import { onTestFinished } from "vitest"

/** A folder for one test, with treelog's sessions in it. */
export interface Workshop {
  readonly sessions: SessionManager
  /** The path of a new file with these lines. */
  write(name: string, lines: Iterable<string>): string
  path(name: string): string
}

export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), "treelog-peers-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const storage = new FileSessionStorage({ agentDir: join(folder, "agent"), sessionDir: folder, terminalId: "peers" })
  const path = (name: string): string => join(folder, name)
  return {
    sessions: new SessionManager({ anyFile: true, storage }),
    path,
    write(name, lines) {
      writeLines(path(name), lines)
      return path(name)
    },
  }
}

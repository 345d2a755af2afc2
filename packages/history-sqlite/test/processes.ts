import type { ChildProcess } from "node:child_process"
import { join } from "node:path"
import { otherProcesses } from "@treelog-internal/test-kit/processes"

// They find better-sqlite3 where this package does.
const processes = otherProcesses(join(import.meta.dirname, "child", "history-user.ts"), {
  inside: join(import.meta.dirname, "..", "node_modules", ".cache"),
  external: ["better-sqlite3", "@secretlint/*"],
})

export function start(task: string, path: string, name = "", times = 1): ChildProcess {
  return processes.start(task, path, name, times)
}

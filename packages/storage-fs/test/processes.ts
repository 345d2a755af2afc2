import type { ChildProcess } from "node:child_process"
import { join } from "node:path"
import { otherProcesses } from "@treelog-internal/test-kit/processes"

const processes = otherProcesses(join(import.meta.dirname, "child", "session-user.ts"))

export type Task = "hold" | "contend" | "take-turns" | "write"

export function start(task: Task, agentDir: string, key: string, times = 1): ChildProcess {
  return processes.start(task, agentDir, key, times)
}

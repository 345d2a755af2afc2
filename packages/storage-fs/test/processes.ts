import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "esbuild"
import { afterAll, afterEach, beforeAll } from "vitest"

// Other processes run the sources too, bundled once for a test file.
let folder: string
let program: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "treelog-child-"))
  program = join(folder, "session-user.mjs")
  await build({
    entryPoints: [join(import.meta.dirname, "child", "session-user.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@treelog/source"],
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const running: ChildProcess[] = []
afterEach(async () => {
  for (const child of running.splice(0)) await kill(child)
})

export type Task = "hold" | "contend" | "take-turns" | "write"

export function start(task: Task, agentDir: string, key: string, times = 1): ChildProcess {
  const child = fork(program, [task, agentDir, key, String(times)])
  running.push(child)
  return child
}

/** The next message of the process; fails when it ends without one. */
export function message(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("message", (text) => resolve(String(text)))
    child.once("exit", (code) => reject(new Error(`the process ended with ${code} and no message`)))
  })
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, "exit")
  child.kill("SIGKILL")
  await ended
}

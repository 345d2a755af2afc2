import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"
import { afterAll, afterEach, beforeAll } from "vitest"

// Other processes run the sources too, bundled once for a test file. They find better-sqlite3 where this package does.
const folder = join(import.meta.dirname, "..", "node_modules", ".cache", `treelog-child-${process.pid}`)
const program = join(folder, "history-user.mjs")
beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: [join(import.meta.dirname, "child", "history-user.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@treelog/source"],
    external: ["better-sqlite3", "@secretlint/*"],
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const running: ChildProcess[] = []
afterEach(async () => {
  for (const child of running.splice(0)) await kill(child)
})

export function start(task: string, path: string, name = "", times = 1): ChildProcess {
  const child = fork(program, [task, path, name, String(times)])
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

import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "esbuild"
import { afterAll, afterEach, beforeAll } from "vitest"

export interface OtherProcesses {
  /** Starts the program; it is killed after the test, if it still runs by then. */
  start(...args: (string | number)[]): ChildProcess
  /** The path of the program, for tests that start it in another way. */
  readonly path: string
}

/**
 * Lets the tests of a file start other processes, which run the sources too: the program is bundled once, before the tests. Each test
 * file calls it itself: what it imports is evaluated once for all files of a worker, and so would be the hooks.
 * @param source the file of the program. An absolute path.
 * @param inside the folder in which the bundle is put, for what it finds from there; by default that of temporary files
 * @param external what is not bundled
 */
export function otherProcesses(
  source: string,
  { inside = tmpdir(), external = [] }: { inside?: string; external?: string[] } = {},
): OtherProcesses {
  const running: ChildProcess[] = []
  let folder = ""
  beforeAll(async () => {
    mkdirSync(inside, { recursive: true })
    folder = mkdtempSync(join(inside, "treelog-child-"))
    await build({
      entryPoints: { program: source },
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      conditions: ["@treelog/source"],
      external,
    })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  afterEach(async () => {
    for (const child of running.splice(0)) await killProcess(child)
  })
  const program = () => {
    if (!existsSync(folder)) throw new Error(`${source} is not bundled: is otherProcesses called in this test file?`)
    return join(folder, "program.mjs")
  }
  return {
    get path() {
      return program()
    },
    start(...args) {
      const child = fork(program(), args.map(String))
      running.push(child)
      return child
    },
  }
}

/** The next message of the process; fails when it ends without one. */
export function nextMessage(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("message", (text) => resolve(String(text)))
    // Not at its exit: what it sent last may still be on the way then.
    child.once("disconnect", () =>
      reject(new Error(`the process ended with ${child.exitCode ?? child.signalCode} and no message`)),
    )
  })
}

/** Resolves when it is gone. */
export async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, "exit")
  child.kill("SIGKILL")
  await ended
}

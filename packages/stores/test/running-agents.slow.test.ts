import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isInUse, RunningAgents } from "@treelog/stores"
import { expect, onTestFinished, test } from "vitest"

const isLinux = process.platform === "linux"

test.runIf(isLinux)(
  "finds the processes of an agent by their command, in its home, and not those of another",
  async () => {
    const { home, around, start } = place()
    const found = await start("pi", [])
    await start("pi", [], { HOME: "/another" })
    await start("pix", [])
    const running = await (await RunningAgents.now(around)).of("pi")
    expect(running?.map(({ pid, cwd }) => [pid, cwd])).toEqual([[found.pid, home]])
  },
)

test.runIf(isLinux)(
  "finds the process of a session by its arguments, by its open file, and else by its folder",
  async () => {
    const { home, around, start, file } = place()
    const session = { agent: "pi", id: "one", path: file, cwd: home, modified: Date.now() + 60_000 }
    expect(await isInUse(around, session)).toBeUndefined()
    const inFolder = await start("pi", [])
    expect(await isInUse(around, session)).toMatchObject({ by: "folder", process: { pid: inFolder.pid } })
    expect(await isInUse(around, { ...session, modified: 0 })).toBeUndefined()
    expect(await isInUse(around, { ...session, cwd: "/another" })).toBeUndefined()
    const withOpen = await start("pi", [], {}, openSync(file, "r"))
    expect(await isInUse(around, session)).toMatchObject({ by: "open-file", process: { pid: withOpen.pid } })
    const withId = await start("pi", ["resume", "one"])
    expect(await isInUse(around, session)).toMatchObject({ by: "arguments", process: { pid: withId.pid } })
  },
)

function place() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "treelog-running-")))
  const started: ChildProcess[] = []
  onTestFinished(() => {
    for (const child of started) child.kill("SIGKILL")
    rmSync(home, { recursive: true, force: true })
  })
  const file = join(home, "one.jsonl")
  writeFileSync(file, "{}\n")
  /** Starts a process under the name of an agent, and waits until it runs. */
  const start = async (argv0: string, args: readonly string[], env = {}, fd: number | "ignore" = "ignore") => {
    const script = "process.stdout.write('.'); setInterval(() => {}, 1e6)"
    const child = spawn(process.execPath, ["-e", script, "--", ...args], {
      ...{ argv0, cwd: home, env: { HOME: home, ...env } },
      stdio: ["ignore", "pipe", "ignore", fd],
    })
    started.push(child)
    await new Promise((resolve) => child.stdout?.once("data", resolve))
    return child
  }
  return { home, file, start, around: { env: { HOME: home }, cwd: home } }
}

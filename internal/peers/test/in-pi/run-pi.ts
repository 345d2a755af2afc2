import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import type { Home } from "./home.js"
import { withoutTiming } from "./without-timing.js"

/** Runs pi once. @returns what it printed, and its exit code */
export async function run(home: Home, args: readonly string[], cwd = home.project) {
  const child = spawn(home.node, home.command(...args), { cwd, env: home.env })
  child.stdin.end()
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")])
  return { stdout, stderr, code: Number(code) }
}

/** Runs pi in JSON mode. @returns its events */
export async function eventsOf(home: Home, args: readonly string[]): Promise<unknown[]> {
  const { stdout } = await run(home, args)
  return withoutTiming(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  )
}

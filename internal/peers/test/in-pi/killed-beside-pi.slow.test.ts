import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as delay } from "node:timers/promises"
import { SessionManager } from "@treelog/pi"
import { otherProcesses } from "@treelog-internal/test-kit/processes"
import { expect, onTestFinished, test } from "vitest"
import { inPi } from "./pi-package.js"

const PI_SESSIONS = inPi("dist/core/session-manager.js").href
const writers = otherProcesses(join(import.meta.dirname, "append-forever.ts"), { external: ["@earendil-works/*"] })

/** A process that appends until it is killed. */
class Writer {
  /** What its appends returned. */
  readonly ids: string[] = []
  readonly #process
  readonly #ended: Promise<unknown>

  constructor(...args: readonly string[]) {
    const child = spawn(process.execPath, [writers.path, ...args], { stdio: ["ignore", "pipe", "inherit"] })
    this.#process = child
    this.#ended = once(child, "close")
    createInterface({ input: child.stdout }).on("line", (id) => this.ids.push(id))
    onTestFinished(() => void child.kill("SIGKILL"))
  }

  async begin(): Promise<void> {
    while (this.ids.length === 0) {
      expect(this.#process.exitCode).toBeNull()
      await delay(5)
    }
  }

  /** It must not have ended by itself. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL")
    expect(await this.#ended).toEqual([null, "SIGKILL"])
  }
}

test("nothing is lost, doubled or glued of a session that pi and killed processes append to at once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "treelog-beside-pi-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const first = SessionManager.create("/project", folder)
  const begun = [
    first.appendMessage({ role: "user", content: "begin", timestamp: 1 }),
    first.appendMessage({ role: "assistant", content: [{ type: "text", text: "begun" }], timestamp: 2 } as never),
  ]
  await first.close()
  const path = first.getSessionFile() ?? ""

  const pi = new Writer(path, PI_SESSIONS)
  await pi.begin()
  const acknowledged: string[] = []
  for (let run = 0; run < 6; run++) {
    const ours = new Writer(path)
    await ours.begin()
    await delay(run * 17)
    await ours.kill()
    acknowledged.push(...ours.ids)
  }
  await pi.kill()
  expect(acknowledged.length).toBeGreaterThan(6)

  const lines = readFileSync(path, "utf8").split("\n")
  expect(lines.pop()).toBe("")
  // A line that pi was in the middle of writing looks torn, and what closes it is an empty line then.
  const ids = lines.slice(1).flatMap((line) => (line === "" ? [] : [JSON.parse(line).id]))
  const stored = new Set(ids)
  expect(stored.size).toBe(ids.length)
  expect([...begun, ...acknowledged, ...pi.ids].filter((id) => !stored.has(id))).toEqual([])
  const { SessionManager: Pi } = await import(PI_SESSIONS)
  expect(Pi.open(path).getEntries()).toHaveLength(ids.length)
  const last = SessionManager.open(path)
  last.appendMessage({ role: "user", content: "end", timestamp: 3 })
  expect(last.getEntries()).toHaveLength(ids.length + 1)
  await last.close()
})

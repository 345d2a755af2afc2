import { appendFile } from "node:fs/promises"
import { setImmediate } from "node:timers/promises"
import { SessionManager } from "@treelog/session-core"
import { claudeFile } from "@treelog-internal/test-kit"
import { afterEach, describe, expect, it, vi } from "vitest"
import { folderOfTest } from "./claude-folder.js"

const ID = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"
const CWD = "/home/ada/shop"
const MINUTE = 60_000

afterEach(() => {
  vi.useRealTimers()
})

/** The file system works on while the clock stands still. */
async function afterSomeChecks(): Promise<void> {
  for (let check = 0; check < 20; check++) {
    await vi.advanceTimersByTimeAsync(1000)
    for (let turn = 0; turn < 20; turn++) await setImmediate()
  }
}

describe("Watching a session whose last reply nothing says to be whole", () => {
  it("reports it once it has not changed for five minutes, and then it is shown", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: Date.now() })
    const { storage, add } = await folderOfTest()
    const path = await add(ID, CWD, "hello")
    const [prompt = "", reply = ""] = claudeFile(ID, CWD, "go on").split("\n")
    await appendFile(path, `${prompt}\n${reply.replace('"stop_reason":"end_turn"', '"stop_reason":null')}\n`)
    const shown = async (): Promise<string> => {
      const { messages } = await new SessionManager({ storage }).readContext(path)
      return JSON.stringify(messages)
    }
    const stopped = new AbortController()
    const changes = storage.watch(path, stopped.signal)
    await changes.next()
    expect(await shown()).not.toContain("Reply to go on")

    let isReported = false
    const reported = changes.next().then(() => {
      isReported = true
    })
    vi.setSystemTime(Date.now() + 4 * MINUTE)
    await afterSomeChecks()
    expect(isReported).toBe(false)
    vi.setSystemTime(Date.now() + MINUTE)
    await afterSomeChecks()
    await reported
    expect(await shown()).toContain("Reply to go on")

    const ended = changes.next()
    stopped.abort()
    expect(await ended).toMatchObject({ done: true })
  })
})

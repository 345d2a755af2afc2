import { join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { userMessage } from "@treelog-internal/test-kit"
import { nextMessage, otherProcesses } from "@treelog-internal/test-kit/processes"
import { expect, test, vi } from "vitest"
import { storeIn, tempDir } from "./store.js"

const users = otherProcesses(join(import.meta.dirname, "child", "session-user.ts"))

test("a session is watched by the events of the system also while the process that made it writes on", async () => {
  const sessions = new SessionManager({ storage: await storeIn() })
  const writer = await sessions.create("/project")
  writer.appendMessage(userMessage("Hi"))
  await writer.flush()
  const reader = await sessions.open(writer.getSessionId(), { access: "read" })
  // The check each second never comes.
  vi.useFakeTimers({ toFake: ["setTimeout"] })
  try {
    const entries = reader.watch(new AbortController().signal)
    const next = entries.next()
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
    const id = writer.appendMessage(userMessage("Are you there?"))
    await writer.flush()
    expect((await next).value?.id).toBe(id)
    await entries.return(undefined)
  } finally {
    vi.useRealTimers()
    await writer.close()
  }
})

test("a process that does nothing but watch a session lives until something comes", async () => {
  const agentDir = await tempDir()
  const sessions = new SessionManager({ storage: await storeIn(agentDir) })
  const writer = await sessions.create("/project", { persist: "create" })
  const child = users.start("follow", agentDir, writer.getSessionFile() ?? "")
  expect(await nextMessage(child)).toBe("ready")
  const seen = nextMessage(child)
  await new Promise((resolve) => setTimeout(resolve, 500))
  const id = writer.appendMessage(userMessage("Hi"))
  await writer.flush()
  expect(await seen).toBe(id)
  await writer.close()
})

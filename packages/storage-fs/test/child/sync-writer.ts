import { writeSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { SessionManager } from "@treelog/session-core"
import { createSync } from "@treelog/session-core/sync"
import { FileSessionStorage, flushOnExit } from "@treelog/storage-fs"

// What the tests let processes do that end in the middle; each line of its output is the id of an entry, or the path of the session.

const [task = "", agentDir = ""] = process.argv.slice(2)
const sessions = new SessionManager({ storage: new FileSessionStorage({ agentDir }) })
const report = (text = "") => writeSync(1, `${text}\n`)
const message = (text: string) => ({ role: "user" as const, content: text, timestamp: 0 })

/** Appends for a while, so that a write is under way most of the time, and ends without waiting for it. */
async function appendAndEnd(end: () => void): Promise<void> {
  const session = await sessions.create("/project")
  flushOnExit(session)
  report(session.getSessionFile())
  for (let count = 0; count < 20; count++) {
    report(session.appendMessage(message(`number ${count} ${"x".repeat(20_000)}`)))
    if (count % 3 === 0) await delay(count % 2)
  }
  end()
}

const tasks: Record<string, () => Promise<void>> = {
  exit: () => appendAndEnd(() => process.exit(3)),
  throw: () =>
    appendAndEnd(() => {
      throw new Error("nobody catches this")
    }),
  /** Its first write is at the exit. */
  flush: async () => {
    const session = await sessions.create("/project", { access: "shared" })
    report(session.getSessionFile())
    flushOnExit(session)
    report(session.appendMessage(message("at the end")))
    process.exit(3)
  },
  /** Writes through before the exit, and in a listener of it. */
  listen: async () => {
    const session = createSync(sessions, "/project", { access: "shared", persist: "append" })
    report(session.getSessionFile())
    report(session.appendMessage(message("before")))
    process.on("exit", () => report(session.appendMessage(message("at the end"))))
    process.exit(3)
  },
  /** Writes each entry through until it is killed. */
  append: async () => {
    const session = createSync(sessions, "/project", { access: "shared", persist: "append" })
    report(session.getSessionFile())
    for (let count = 0; ; count++) {
      report(session.appendMessage(message(`number ${count} ${"x".repeat((count * 37) % 5000)}`)))
      if (count % 50 === 0) await delay(1)
    }
  },
}
await tasks[task]?.()

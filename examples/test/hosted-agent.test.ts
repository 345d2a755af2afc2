import { isEntry, SessionManager, type SessionStorage } from "@treelog/session-core"
import type { Lease } from "@treelog/session-core/adapter"
import { verifySession } from "@treelog/session-core/maintenance"
import { LapsingStorage } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { answer } from "../hosted/agent.js"

const LEASE_MS = 60_000
const SYNCHRONOUS = ["leaseSync", "statSync", "openRangesSync"]

/** Stops the caller of a storage before its call number `at`, or, with `isAfter`, behind it, until `work` is done. */
class Stop {
  calls = 0
  readonly #at: number
  readonly #isAfter: boolean
  readonly #work: () => Promise<void>

  constructor(at: number, isAfter: boolean, work: () => Promise<void>) {
    this.#at = at
    this.#isAfter = isAfter
    this.#work = work
  }

  /** The port with asynchronous methods only, as that of a database. */
  in<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (target, name) => {
        if (SYNCHRONOUS.includes(String(name)) || String(name).endsWith("Sync")) return undefined
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== "function") return value
        const method = value.bind(target)
        if (!["stat", "lease", "readRange", "openRanges", "append", "create", "sync", "release"].includes(String(name)))
          return method
        return async (...given: unknown[]) => {
          const isIt = ++this.calls === this.#at
          if (isIt && !this.#isAfter) await this.#work()
          const result: unknown = await method(...given)
          if (isIt && this.#isAfter) await this.#work()
          return name === "lease" ? this.in(result as Lease) : result
        }
      },
    })
  }
}

/** Answers a prompt as `server.ts` does. */
async function turn(storage: SessionStorage, id: string): Promise<string> {
  const session = await new SessionManager({ storage }).open({ id })
  try {
    const said = await answer(session, "p1", "How long is the page?", 0)
    await session.close()
    return said
  } catch (error) {
    await session.discard()
    throw error
  }
}

test.each([false, true])(
  "a process that is stopped past its lease at any call adds nothing (behind the call: %s)",
  async (isAfter) => {
    for (let at = 1; ; at++) {
      let now = Date.UTC(2026, 10, 28)
      const storage = new LapsingStorage({ clock: { now: () => now }, leaseMs: LEASE_MS })
      const created = await new SessionManager({ storage }).create("/hosted", { persist: "create" })
      await created.close()
      const id = created.getSessionId()
      const stop = new Stop(at, isAfter, async () => {
        now += LEASE_MS
        expect(await turn(storage, id)).toBe("1100 characters.")
        now += LEASE_MS
      })
      const [late] = await Promise.allSettled([turn(stop.in(storage), id)])
      if (late.status === "fulfilled") expect(late.value).toBe("1100 characters.")
      expect(await turn(storage, id)).toBe("1100 characters.")
      const sessions = new SessionManager({ storage })
      const session = await sessions.open({ id }, { access: "read" })
      const branch = session.getBranch()
      expect([at, session.getEntries().length]).toEqual([at, branch.length])
      const roles = branch.flatMap((entry) => (isEntry(entry, "message") ? [entry.message.role] : []))
      expect(roles).toEqual(["user", "assistant", "toolResult", "assistant"])
      expect((await verifySession(sessions, { id })).diagnostics).toEqual([])
      if (stop.calls < at) return
    }
  },
)

import type { LeaseOptions, StorageStat } from "@treelog/session-core/adapter"
import { verifySession } from "@treelog/session-core/maintenance"
import { sessionText, testHeader, userEntry, userMessage } from "@treelog-internal/test-kit"
import { expect, it } from "vitest"
import { OpenMemoryStorage } from "./foreign-writer.js"
import { givenManager } from "./given-manager.js"
import { putStored, storedRecords } from "./stored-bytes.js"

const KEY = "memory:/project/test-session"

/** Another program appends in the same moment as we do, and what is stored then cannot be read for once. */
class SlippingStorage extends OpenMemoryStorage {
  slips = false
  #failures = 0

  override async lease(key: string, options: LeaseOptions) {
    const lease = await super.lease(key, options)
    return new Proxy(lease, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target)
        if (name !== "append" || !this.slips) return member
        return async (bytes: Uint8Array, expected: StorageStat) => {
          const stat = await target.append(bytes, expected)
          this.slips = false
          this.#failures = 1
          return target.append(new TextEncoder().encode(`${JSON.stringify(userEntry("foreign", "a"))}\n`), stat)
        }
      },
    })
  }

  override async stat(key: string) {
    if (this.#failures-- > 0) throw new Error("cannot be read")
    return super.stat(key)
  }
}

it.each(["exclusive", "shared"] as const)(
  "an append after which reading failed is not repeated, and what was appended since is (%s)",
  async (access) => {
    const { storage, sessions } = givenManager(new SlippingStorage())
    await putStored(storage, KEY, sessionText(testHeader(), userEntry("a", null)))
    const session = await sessions.open(KEY, { access })
    storage.slips = true
    const first = session.appendMessage(userMessage("first"))
    const flushed = session.flush()
    const second = session.appendMessage(userMessage("second"))
    await expect(flushed).rejects.toMatchObject({ code: "PersistError" })
    await session.retry()
    const third = session.appendMessage(userMessage("third"))
    await session.close()
    const ids = (await storedRecords(storage, KEY)).slice(1).map(({ id }) => id)
    expect(ids.filter((id) => id !== "foreign")).toEqual(["a", first, second, third])
    expect((await verifySession(sessions, KEY)).diagnostics).toEqual([])
  },
)

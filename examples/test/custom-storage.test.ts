import { SessionManager } from "@treelog/session-core"
import { sessionStorageContract } from "@treelog/session-core/testing"
import { describe, expect, it } from "vitest"
import { KeyValueStorage } from "../custom-storage.js"

sessionStorageContract(
  { describe, it },
  {
    name: "KeyValueStorage",
    example: new KeyValueStorage(new Map()),
    setup: async () => ({ storage: new KeyValueStorage(new Map()), teardown: async () => {} }),
  },
)

describe("examples/custom-storage.ts", () => {
  it("keeps a session as one value of a Map, from which another storage reads it", async () => {
    const values = new Map<string, Uint8Array>()
    const session = await new SessionManager({ storage: new KeyValueStorage(values) }).create("/home/me/shop")
    session.appendMessage({ role: "user", content: "Hi", timestamp: 1 })
    await session.close()
    expect([...values.keys()]).toEqual([`kv:/home/me/shop/${session.getSessionId()}.jsonl`])

    const { messages } = await new SessionManager({ storage: new KeyValueStorage(values) }).readContext("@last")
    expect(messages).toEqual([{ role: "user", content: "Hi", timestamp: 1 }])
  })

  it("takes a store that answers with promises", async () => {
    const map = new Map<string, Uint8Array>()
    const storage = new KeyValueStorage({
      get: async (key) => map.get(key),
      set: async (key: string, value: Uint8Array) => map.set(key, value),
      delete: async (key: string) => map.delete(key),
      keys: async function* () {
        yield* map.keys()
      },
    })
    const session = await new SessionManager({ storage }).create("/shop", { persist: "create" })
    await session.close()
    const ids: string[] = []
    for await (const { id } of new SessionManager({ storage }).listAll()) ids.push(id)
    expect(ids).toEqual([session.getSessionId()])
  })
})

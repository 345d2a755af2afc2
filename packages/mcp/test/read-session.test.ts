import { Client } from "@modelcontextprotocol/client"
import { InMemoryTransport } from "@modelcontextprotocol/server"
import { createMcpServer } from "@treelog/mcp"
import { MemorySessionStorage, type Session, SessionManager } from "@treelog/session-core"
import { Library } from "@treelog/stores"
import { userMessage } from "@treelog-internal/test-kit"
import { expect, test, vi } from "vitest"

/** The ids of the entries that are in memory: such an entry is the same object each time. */
function idsInMemory(session: Session): string[] {
  const [before, after] = [[...session.iterateEntries()], [...session.iterateEntries()]]
  return before.filter((entry, index) => entry === after[index]).map(({ id }) => id)
}

test("Of a session of any size, only what is shown is in memory, also of another branch.", async () => {
  const storage = new MemorySessionStorage()
  const manager = new SessionManager({ storage })
  const writer = await manager.create("/shop", { persist: "create" })
  const first = writer.appendMessage(userMessage("Why?"))
  // A small session is in memory anyway.
  for (let i = 0; i < 12; i++) writer.appendMessage(userMessage("A log line.\n".repeat(40_000)))
  writer.branch(first)
  const other = writer.appendMessage(userMessage("And this?"))
  writer.branch(first)
  const last = writer.appendMessage(userMessage("How?"))
  await writer.close()
  let inMemory: string[] = []
  const open = manager.open.bind(manager)
  vi.spyOn(manager, "open").mockImplementation(async (...args) => {
    const session = await open(...args)
    const close = session.close.bind(session)
    session.close = () => {
      inMemory = idsInMemory(session)
      return close()
    }
    return session
  })
  const source = { name: "store", address: "store", madeBy: "pi", storage, projectOf: (folder: string) => folder }
  const sessions = new Library([{ ...source, manager: async () => manager }])
  const server = createMcpServer({ sessions, cwd: undefined, version: "1" })
  const client = new Client({ name: "test", version: "1" })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(far), client.connect(near)])
  const read = async (entry?: string) => {
    const args = { session: writer.getSessionId(), ...(entry !== undefined && { entry }) }
    return JSON.stringify((await client.callTool({ name: "read_session", arguments: args })).content)
  }
  expect(await read()).toMatch(/Why\?.*How\?/)
  expect(inMemory).toEqual([first, last])
  expect(await read(other)).toMatch(/Why\?.*And this\?/)
  // The last entry was read to open the session.
  expect(inMemory).toEqual([first, other, last])
})

import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { userMessage } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { transcriptOf } from "./door.js"

test("Of a session of any size, only what is asked for is in memory, also of another branch.", async () => {
  const sessions = new SessionManager({ storage: new MemorySessionStorage() })
  const writer = await sessions.create("/shop", { persist: "create" })
  const first = writer.appendMessage(userMessage("Why?"))
  // A small session is in memory anyway.
  for (let i = 0; i < 12; i++) writer.appendMessage(userMessage("A log line.\n".repeat(40_000)))
  writer.branch(first)
  const other = writer.appendMessage(userMessage("And this?"))
  writer.branch(first)
  const last = writer.appendMessage(userMessage("How?"))
  await writer.close()
  const session = await sessions.open(writer.getSessionFile() ?? "", { access: "read" })
  expect(transcriptOf(session, undefined).map(({ id }) => id)).toEqual([first, last])
  const lines = transcriptOf(session, other)
  expect(lines.map(({ id }) => id)).toEqual([first, other])
  expect(lines.at(-1)?.text).toContain("And this?")
  // An entry that is in memory is the same object each time. The last was read to open the session.
  const [before, after] = [[...session.iterateEntries()], [...session.iterateEntries()]]
  expect(before.filter((entry, index) => entry === after[index]).map(({ id }) => id)).toEqual([other, last])
})

import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { userMessage } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { sessionsSaying } from "../door.js"

test("finds the sessions that say a term, and none for a sign alone", async () => {
  const storage = new MemorySessionStorage()
  const session = await new SessionManager({ storage }).create("/home/ada/shop")
  session.appendMessage(userMessage("1 + 1 is two"))
  await session.close()
  const index = new MemorySessionIndex(storage)
  await index.update()
  const { said, isMore } = await sessionsSaying(index, {}, ["tw", "+", "🎉"], 10)
  expect([...said.each].map(([term, sessions]) => [term, sessions.size])).toEqual([
    ["tw", 1],
    ["+", 0],
    ["🎉", 0],
  ])
  expect(isMore).toBe(false)
  expect((await sessionsSaying(index, {}, ["tw"], 10)).said.together.size).toBe(0)
  expect((await sessionsSaying(index, {}, ["tw", "is"], 10)).said.together.size).toBe(1)
  expect((await sessionsSaying(index, {}, ["tw", "nothing"], 10)).said.together.size).toBe(0)
})

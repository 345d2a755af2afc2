import type { Message } from "@treelog/session-core"
import { contextFidelity } from "@treelog/session-core/adapter"
import { expect, it } from "vitest"

const reply = (fields: object): Message =>
  ({ role: "assistant", content: [], provider: "p", model: "m", timestamp: 0, ...fields }) as Message

it.each([
  ["no reply", [{ role: "user", content: "Hi", timestamp: 0 } as Message], "unknown"],
  ["a reply of the session's own program", [reply({})], "exact"],
  [
    "a recorded request behind one that was not",
    [reply({ request: "rebuilt" }), reply({ request: "recorded" })],
    "exact",
  ],
  ["a request that was not recorded", [reply({ request: "recorded" }), reply({ request: "rebuilt" })], "approximate"],
  [
    "a message that the client made itself behind a recorded request",
    [reply({ request: "recorded" }), reply({ request: "rebuilt", model: "<synthetic>" })],
    "exact",
  ],
])("the context with %s last is known to be so exact", (_, messages, exactness) => {
  expect(contextFidelity({ messages }).exactness).toBe(exactness)
})

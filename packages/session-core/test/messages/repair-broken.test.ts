import type { Message } from "@treelog/session-core"
import { convertToLlm, repairContext } from "@treelog/session-core/messages"
import { deepFreeze } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { BROKEN_HISTORIES } from "./broken-histories.js"
import { providerFaults } from "./provider-rules/provider-faults.js"

describe.each(BROKEN_HISTORIES)("a history that $name", ({ messages, changes, turns }) => {
  deepFreeze(messages)
  const repaired = repairContext(messages)

  it("is turned down by a provider", () => {
    expect(providerFaults(messages)).not.toEqual({})
  })

  it("is repaired by what the repair says", () => {
    expect(repaired.changes.map(({ kind }) => kind)).toEqual(changes)
    expect(turnsOf(repaired.messages)).toBe(turns)
  })

  it("is then one that every provider accepts, before convertToLlm and after", () => {
    expect(providerFaults(repaired.messages)).toEqual({})
    expect(providerFaults(repairContext(convertToLlm(messages).messages).messages)).toEqual({})
  })

  it("needs no second repair", () => {
    const again = repairContext(repaired.messages)
    expect(again.changes).toEqual([])
    expect(again.messages).toBe(repaired.messages)
  })

  it("keeps the messages that needed nothing, as the same objects", () => {
    const changed = new Set(repaired.changes.map(({ index }) => index))
    for (const [index, message] of messages.entries()) {
      if (!changed.has(index)) expect(repaired.messages).toContain(message)
    }
  })
})

function turnsOf(messages: readonly Message[]): string {
  const letters: Record<string, string> = { assistant: "a", toolResult: "r", system: "s", developer: "s", oracle: "" }
  return messages.map(({ role }) => letters[role] ?? "u").join("")
}

import { kindOf } from "@treelog/session-core/adapter"
import { anyBody, entry } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ENTRY_KINDS } from "../door.js"

const describeEntry = (type: string, fields = {}) =>
  kindOf(entry(type, "a", null, fields)).describe(entry(type, "a", null, fields))

describe("kindOf", () => {
  it.each([
    ["message", "message"],
    ["custom_message", "message"],
    ["branch_summary", "message"],
    ["compaction", "boundary"],
    ["reset_boundary", "boundary"],
    ["context_edit", "edit"],
    ["model_change", "settings"],
    ["thinking_level_change", "settings"],
    ["mode_change", "settings"],
    ["ttsr_injection", "settings"],
    ["label", "nothing"],
    ["session_info", "nothing"],
    ["title_change", "nothing"],
    ["custom", "nothing"],
    ["session_init", "nothing"],
    ["usage", "nothing"],
    ["model_usage", "nothing"],
    ["leaf", "nothing"],
    ["service_tier_change", "nothing"],
    ["credential_pin", "nothing"],
    ["context_change", "nothing"],
    ["mcp_tool_selection", "nothing"],
  ])("knows %s, which gives the context: %s", (type, gives) => {
    expect(Object.hasOwn(ENTRY_KINDS, type)).toBe(true)
    expect(kindOf(entry(type, "a", null)).gives).toBe(gives)
  })

  it.each(["hologram", "__proto__", "constructor", "toString", ""])("knows nothing of %j but its name", (type) => {
    expect(kindOf(entry(type, "a", null))).toMatchObject({ gives: "nothing", conversation: false })
    expect(describeEntry(type)).toBe(`${type} (unknown kind)`)
  })

  it("describes model changes in all their forms", () => {
    expect(describeEntry("model_change", { provider: "p", modelId: "m/x" })).toBe("model p/m/x")
    expect(describeEntry("model_change", { model: "p/m", role: "smol" })).toBe("model p/m (smol)")
    expect(describeEntry("model_change", { model: "p/m", role: "default" })).toBe("model p/m")
    expect(describeEntry("model_change")).toBe("model unknown")
  })

  it("describes labels that are set and cleared", () => {
    expect(describeEntry("label", { targetId: "t", label: "here" })).toBe("label here on t")
    expect(describeEntry("label", { targetId: "t" })).toBe("label off t")
  })

  it("describes the rules of an injection by name", () => {
    expect(describeEntry("ttsr_injection", { injectedRules: ["a", "b"] })).toBe("rules a,b")
  })

  it("never throws, whatever the fields hold", () => {
    const odd = [
      undefined,
      null,
      7,
      {},
      { toString: 1, valueOf: 1 },
      JSON.parse(`${"[".repeat(9999)}${"]".repeat(9999)}`),
    ]
    const fields = ["customType", "fromId", "tokensBefore", "targetId", "replacement", "provider", "model", "role"]
    const more = ["thinkingLevel", "mode", "injectedRules", "label", "name", "title", "task"]
    for (const type of Object.keys(ENTRY_KINDS)) {
      for (const value of odd) {
        const body = Object.fromEntries([...fields, ...more].map((field) => [field, value]))
        expect(describeEntry(type, body)).toEqual(expect.any(String))
      }
    }
  })

  it("describes entries of any kind", () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        expect(describeEntry(body.type, body)).toEqual(expect.any(String))
      }),
    )
  })
})

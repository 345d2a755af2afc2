import { isTreelogError } from "@treelog/session-core"
import { describe, expect, it } from "vitest"
import { claudeCodeFacts } from "../src/index.js"
import { call, reply, text, user } from "./lines.js"

const state = { id: "s1", modified: 7 }

function bytesOf(...lines: object[]): Uint8Array {
  return new TextEncoder().encode(`${lines.map((one) => JSON.stringify(one)).join("\n")}\n`)
}

describe("The facts of a session in a list", () => {
  it("are complete where all bytes are given", () => {
    const command = user("c", null, "<command-name>/clear</command-name>")
    const bytes = bytesOf(command, user("u", "c", "Hello"), reply("a", "u", [text("Yes")]), {
      type: "custom-title",
      customTitle: "Mine",
    })
    const facts = claudeCodeFacts(bytes, bytes, { ...state, size: bytes.length })
    expect(facts).toMatchObject({
      id: "s1",
      cwd: "/home/ada/shop",
      name: "Mine",
      firstMessage: "Hello",
      status: "complete",
      size: bytes.length,
    })
    expect(facts.modified).toBeGreaterThan(facts.created)
  })

  it("come from both ends of a large file", () => {
    const middle = user("m", "u", "x".repeat(200_000))
    const bytes = bytesOf(user("u", null, "Hello"), middle, reply("a", "m", [call("c")]), {
      type: "ai-title",
      aiTitle: "Made",
    })
    const facts = claudeCodeFacts(bytes.subarray(0, 65_536), bytes.subarray(-65_536), { ...state, size: bytes.length })
    expect(facts).toMatchObject({ firstMessage: "Hello", name: "Made", status: "interrupted" })
  })

  it("have the text of a first prompt that is longer than what was read", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "A".repeat(200_000) } }
    const bytes = bytesOf({ type: "mode", mode: "normal" }, user("u", null, [text('Look at "this"'), image]), {
      type: "mode",
      mode: "plan",
    })
    const facts = claudeCodeFacts(bytes.subarray(0, 65_536), bytes.subarray(-65_536), { ...state, size: bytes.length })
    expect(facts.firstMessage).toBe('Look at "this"')
  })

  it("have a first prompt that was cut off, and not a later one at the end", () => {
    const bytes = bytesOf(user("u", null, [text("First"), text("x".repeat(200_000))]), user("v", "u", "Later"))
    const facts = claudeCodeFacts(bytes.subarray(0, 65_536), bytes.subarray(-65_536), { ...state, size: bytes.length })
    expect(facts).toMatchObject({ firstMessage: "First", status: "pending" })
  })

  it("have the title of a summary only where its line is in this file", () => {
    const titled = (leafUuid: string) => {
      const bytes = bytesOf({ type: "summary", summary: "Of this", leafUuid }, user("u", null, "Hello"))
      return claudeCodeFacts(bytes, bytes, { ...state, size: bytes.length }).name
    }
    expect([titled("u"), titled("Hello")]).toEqual(["Of this", undefined])
  })

  it("show a turn as complete where the last reply has no calls, and of several lines all count", () => {
    const lines = [
      user("u", null, "Hello"),
      reply("a", "u", [call("c")]),
      reply("a2", "a", [text("On it")], { id: "msg_a" }),
    ]
    const bytes = bytesOf(...lines)
    expect(claudeCodeFacts(bytes, bytes, { ...state, size: bytes.length }).status).toBe("interrupted")
    const more = bytesOf(...lines, reply("b", "a2", [text("Done")]))
    expect(claudeCodeFacts(more, more, { ...state, size: more.length }).status).toBe("complete")
  })

  it("are refused for what has no line of Claude Code", () => {
    const bytes = new TextEncoder().encode("no session\n")
    expect(() => claudeCodeFacts(bytes, bytes, { ...state, size: bytes.length })).toThrow(
      expect.toSatisfy((error) => isTreelogError(error, "InvalidSessionError")),
    )
  })
})

import { buildSessionContext, type Message, type SessionEntry } from "@treelog/session-core"
import { convertToLlm } from "@treelog/session-core/messages"
import { allKinds, generateSession, type SessionStyle } from "@treelog-internal/test-kit/generator"
import { describe, expect, test } from "vitest"

interface PiMessages {
  convertToLlm(messages: readonly Message[]): Message[]
}

const MODULE = new URL("../node_modules/@earendil-works/pi-coding-agent/dist/core/messages.js", import.meta.url)

/** convertToLlm of the real pi 0.74.2. */
const { convertToLlm: piConvert } = (await import(MODULE.href)) as PiMessages

const STYLES: readonly SessionStyle[] = ["pi", "pi-migrated", "omp"]

function entriesOf(lines: Iterable<string>): SessionEntry[] {
  const records = [...lines].map((line) => JSON.parse(line))
  return records.slice(records.findIndex(({ type }) => type === "session") + 1)
}

/** What only treelog passes on (FORMAT.md, section 6). */
function isInstruction({ role }: Message): boolean {
  return role === "system" || role === "developer"
}

/** What omp and xcsh send to a model, and pi does not know. */
function isOfOthers({ role }: Message): boolean {
  return role === "pythonExecution" || role === "fileMention"
}

/** pi's form of a custom message leaves out who wrote it. */
function withoutAttribution(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    const { attribution: _, ...rest } = message as Message & { attribution?: unknown }
    return rest as Message
  })
}

describe.each(STYLES)("the messages for a model (%s)", (style) => {
  test.each([1, 2, 3])("are pi's at every entry of a session (seed %i)", (seed) => {
    const entries = entriesOf(
      generateSession({ style, seed, entries: 250, compactions: 2, branching: 0.2, imageBytes: 500, edits: 0 }),
    )
    let seen = 0
    for (const { id } of entries) {
      const { messages } = buildSessionContext(entries, id)
      const ours = convertToLlm(messages)
      expect(withoutAttribution(ours.messages)).toEqual(piConvert(messages))
      expect(ours.diagnostics).toEqual([])
      seen += ours.messages.length
    }
    expect(seen).toBeGreaterThan(1_000)
  })

  test("are pi's for every kind of message, but for instructions", () => {
    const entries = entriesOf(allKinds(style))
    for (const { id } of entries) {
      const { messages } = buildSessionContext(entries, id)
      const known = messages.filter((message) => !isInstruction(message) && !isOfOthers(message))
      expect(withoutAttribution(convertToLlm(known).messages)).toEqual(piConvert(messages))
    }
  })
})

describe("where FORMAT.md, section 6, differs from pi 0.74", () => {
  const messages = entriesOf(allKinds("pi")).flatMap((entry) => ("message" in entry ? [entry.message as Message] : []))

  test("system and developer messages pass; pi drops them", () => {
    expect(convertToLlm(messages).messages.filter(isInstruction)).toHaveLength(messages.filter(isInstruction).length)
    expect(messages.filter(isInstruction).length).toBeGreaterThan(0)
    expect(piConvert(messages).filter(isInstruction)).toEqual([])
  })

  test("messages of unknown roles are reported; pi drops them without a word", () => {
    const reported = convertToLlm(messages).diagnostics.filter(({ kind }) => kind === "unknown-role")
    const roles = reported.map(({ index }) => messages[index]?.role)
    expect(new Set(roles)).toEqual(new Set(["futureRole"]))
    expect(piConvert(messages).filter(({ role }) => roles.includes(role))).toEqual([])
  })

  test("Python code and files that were named pass as words of the user; pi drops them", () => {
    const others = messages.filter(isOfOthers)
    expect(new Set(others.map(({ role }) => role))).toEqual(new Set(["pythonExecution", "fileMention"]))
    expect(convertToLlm(others).messages.map(({ role }) => role)).toEqual(others.map(() => "user"))
    expect(piConvert(others)).toEqual([])
  })

  test("a custom message keeps its attribution; pi drops it", () => {
    const custom = [
      { role: "custom", customType: "n", content: "a", display: true, attribution: "agent", timestamp: 1 },
    ]
    expect(convertToLlm(custom as never).messages).toMatchObject([{ attribution: "agent" }])
    expect(piConvert(custom as never)).not.toMatchObject([{ attribution: "agent" }])
  })

  test("a custom message without content gives empty content; pi passes null on", () => {
    const custom = [{ role: "custom", customType: "n", content: null, display: true, timestamp: 1 }] as never
    expect(convertToLlm(custom).messages).toEqual([{ role: "user", content: [], timestamp: 1 }])
    expect(piConvert(custom)).toEqual([{ role: "user", content: null, timestamp: 1 }])
  })

  test("a command or a summary without text gives none; pi says `undefined`", () => {
    const poor = [
      { role: "bashExecution", timestamp: 1 },
      { role: "branchSummary", timestamp: 1 },
    ] as never
    expect(JSON.stringify(convertToLlm(poor).messages)).not.toContain("undefined")
    expect(JSON.stringify(piConvert(poor)).match(/undefined/g)).toHaveLength(2)
  })

  test("what is no message is left out and reported; pi throws", () => {
    expect(convertToLlm([null] as never)).toMatchObject({ messages: [], diagnostics: [{ kind: "not-a-message" }] })
    expect(() => piConvert([null] as never)).toThrow(TypeError)
  })
})

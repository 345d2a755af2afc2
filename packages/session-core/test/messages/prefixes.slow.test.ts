import { type AssistantMessage, buildSessionContext, type Message, type SessionEntry } from "@treelog/session-core"
import { linesOf, migrate, readLog } from "@treelog/session-core/adapter"
import { convertThinking, convertToLlm, repairContext } from "@treelog/session-core/messages"
import { deepFreeze, tries } from "@treelog-internal/test-kit"
import { allKinds, generateSession, type SessionStyle } from "@treelog-internal/test-kit/generator"
import { describe, expect, it } from "vitest"
import { providerFaults } from "./provider-rules/provider-faults.js"

const STYLES: readonly SessionStyle[] = ["pi", "pi-v1", "pi-migrated", "omp"]
const SEEDS = Array.from({ length: tries(1) }, (_, index) => index + 1)
const SHAPE = {
  entries: 120,
  compactions: 2,
  branching: 0.2,
  toolOutput: 200,
  imageBytes: 600,
  images: 0.2,
  edits: 0.2,
}
const target = { provider: "openai", model: "gpt-5.1-codex" }

describe.each(STYLES)("every prefix of a session (%s)", (style) => {
  it.each(SEEDS)("is repaired to what every provider accepts, once and for all (seed %i)", async (seed) => {
    expectSoundPrefixes(await entriesOf(generateSession({ ...SHAPE, style, seed })))
  })

  it("with every kind of entry and message is, too", async () => {
    expectSoundPrefixes(await entriesOf(allKinds(style)))
  })
})

describe("a session that ran to its end", () => {
  it.each(SEEDS)("needs no repair, and comes back as it is (seed %i)", async (seed) => {
    const entries = await entriesOf(
      generateSession({ ...SHAPE, style: "pi", entries: 400, branching: 0, edits: 0, seed }),
    )
    let clean = 0
    for (const entry of entries) {
      if (!isEndOfTurn(entry)) continue
      const context = buildSessionContext(entries, entry.id)
      const messages = context.messages.filter((message) => !isFailure(message))
      const { messages: llm } = convertToLlm(messages)
      expect(repairContext(messages)).toEqual({ messages, changes: [] })
      expect(repairContext(llm).messages).toBe(llm)
      clean++
    }
    expect(clean).toBeGreaterThan(10)
  })
})

async function entriesOf(lines: Iterable<string>): Promise<SessionEntry[]> {
  const log = await readLog(linesOf(new TextEncoder().encode([...lines].join(""))), "generated")
  if (!log) throw new Error("The generator gave nothing.")
  return deepFreeze(migrate(log).records.map(({ value }) => value as unknown as SessionEntry))
}

function expectSoundPrefixes(entries: readonly SessionEntry[]): void {
  for (const { id } of entries) {
    const { messages } = buildSessionContext(entries, id)
    for (const history of [messages, convertThinking(convertToLlm(messages).messages, target)]) {
      const { messages: repaired } = repairContext<Message>(history)
      expect(providerFaults(repaired)).toEqual({})
      expect(repairContext(repaired).messages).toBe(repaired)
    }
  }
}

function isEndOfTurn(entry: SessionEntry): boolean {
  const message = "message" in entry ? (entry.message as AssistantMessage) : undefined
  return message?.role === "assistant" && message.stopReason === "stop"
}

/** Failures leave empty answers and the like behind. */
function isFailure(message: Message): boolean {
  return ["aborted", "error"].includes((message as AssistantMessage).stopReason ?? "")
}

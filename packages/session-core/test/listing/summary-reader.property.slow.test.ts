import { anyBody, bytesOf, jsonObject, message, sessionText, testHeader, tries } from "@treelog-internal/test-kit"
import { damageBytes } from "@treelog-internal/test-kit/damage"
import { allKinds, generateSession, Random, type SessionStyle } from "@treelog-internal/test-kit/generator"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fullInfo, fullLog } from "./full-summary.js"
import { infoOf, SHORTEST_BLOCK, summaryOf } from "./summary-of.js"

const STYLES: readonly SessionStyle[] = ["pi", "pi-v1", "pi-migrated", "omp"]

/** Made once: making one takes longer than looking at it. */
const sessions = STYLES.flatMap((style) =>
  Array.from({ length: 10 }, (_, seed) =>
    [
      ...generateSession({
        style,
        seed,
        entries: seed * 6,
        toolOutput: 50 + seed * 20,
        images: 0.1,
        imageBytes: 300,
        grown: seed,
      }),
    ].join(""),
  ),
)
const generated = fc.nat(sessions.length - 1).map((index) => sessions[index] as string)

const time = fc.oneof(
  fc.integer({ min: 0, max: 2e12 }),
  fc.double(),
  fc.constantFrom(1e300, -5, "late", null, undefined),
)
const cost = fc.oneof(fc.double({ min: 0, max: 5, noNaN: true }), fc.constantFrom("free", null, -1))
const usage = fc.oneof(
  fc.record({ input: fc.nat(), cost: fc.record({ total: cost }) }),
  fc.record({ input: fc.nat(), note: fc.string(), cost: fc.record({ input: cost, total: cost }), deep: jsonObject }),
  fc.constantFrom(null, 7, "usage", {}, []),
)
const provider = fc.constantFrom("anthropic", "open ai", 'a "quoted" one', "", 5)
const model = fc.constantFrom("claude-1", "gpt/5", "変", "", null)

const stopReason = fc.constantFrom(
  "stop",
  "toolUse",
  "aborted",
  "error",
  "length",
  "other",
  "sto\u0070\n",
  5,
  undefined,
)

/** An answer as agents write it, with what is in it being odd, and something behind it. */
const answer = fc
  .tuple(
    fc.record({ provider, model, usage, stopReason, timestamp: time }),
    fc.record({ usage, model, duration: fc.nat() }, { requiredKeys: [] }),
  )
  .map(([known, more]) => ({ role: "assistant", content: [{ type: "text", text: "hi" }], ...known, ...more }))

/** A message whose fields are those that a list looks at, in any order, and other ones. */
const oddMessage = fc
  .tuple(
    fc.record({ role: fc.constantFrom("user", "assistant", "toolResult", "custom", 7), stopReason, timestamp: time }),
    fc.record(
      {
        isError: fc.boolean(),
        content: fc.string(),
        details: fc.oneof(jsonObject, fc.record({ usage })),
        error: fc.string(),
        provider,
        model,
        usage,
      },
      { requiredKeys: [] },
    ),
    fc.infiniteStream(fc.nat()),
  )
  .map(([known, more, order]) => shuffled({ ...known, ...more }, order))

const said = fc
  .tuple(
    fc.record({
      type: fc.constant("message"),
      message: fc.oneof(message, oddMessage, answer, jsonObject, fc.constant(null)),
    }),
    fc.constantFrom(
      {},
      { extra: 1 },
      { after: { stopReason: "stop" } },
      { name: 'a "quoted" one' },
      { usage: { cost: { total: 0.5 } } },
    ),
  )
  .map(([entry, more]) => ({ ...entry, ...more }))

const entry = fc
  .tuple(fc.oneof(anyBody, said), fc.constantFrom("first", "last", "none", "any"), fc.infiniteStream(fc.nat()))
  .map(([{ type, ...fields }, order, stream]) => {
    const [ids, timestamp] = [{ id: "0a", parentId: null }, { timestamp: "2026-03-07T14:00:00.000Z" }]
    if (order === "first") return { type, ...ids, ...timestamp, ...fields }
    if (order === "last") return { type, ...timestamp, ...fields, ...ids }
    return order === "none"
      ? { type, ...timestamp, ...fields }
      : shuffled({ type, ...fields, ...ids, ...timestamp }, stream)
  })

const line = fc.oneof(
  { weight: 9, arbitrary: entry.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: entry.map((value) => JSON.stringify(value, undefined, " ").replaceAll("\n", "")) },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "{", "[]", '{"type":"session","id":"b"}', '{"type":"message"}') },
)

const odd = fc
  .tuple(
    fc.constantFrom("", "\ufeff", '{"type":"title","title":"slot"}\n', "garbage\n", "\n", '{"type":"label"}\n'),
    fc.record(
      { title: fc.string(), cwd: fc.string(), parentSession: fc.string(), version: fc.nat(4) },
      { requiredKeys: [] },
    ),
    fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n")), { maxLength: 8 }),
  )
  .map(([slot, header, lines]) => [slot, sessionText({ ...testHeader(), ...header }), ...lines.flat()].join(""))

const sound = fc.oneof(generated, odd)
const block = fc.oneof(fc.integer({ min: SHORTEST_BLOCK, max: 9_000 }), fc.constant(1 << 20))

describe("the summary of a session", () => {
  it("is what a full parse says, whoever wrote it, in whatever blocks it is read", async () => {
    await fc.assert(
      fc.asyncProperty(sound, block, async (text, block) => {
        const bytes = bytesOf(text)
        expect(infoOf(await summaryOf(bytes, undefined, block))).toEqual(await fullInfo(bytes))
      }),
      { numRuns: tries(60) },
    )
  })

  it.each(STYLES)("is what a full parse says of every kind of entry of %s", async (style) => {
    const bytes = bytesOf(...allKinds(style))
    expect(infoOf(await summaryOf(bytes))).toEqual(await fullInfo(bytes))
  })

  it("goes on from where it ended, wherever the session was cut off", async () => {
    await fc.assert(
      fc.asyncProperty(
        sound,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
        block,
        async (text, cuts, block) => {
          const bytes = bytesOf(text)
          let summary = await summaryOf(bytes.subarray(0, 0))
          for (const cut of cuts.sort((a, b) => a - b)) {
            const part = bytes.subarray(0, Math.floor(cut * bytes.length))
            summary = await summaryOf(part, summary, block)
            expect(infoOf(summary)).toEqual(await fullInfo(part))
          }
          expect(infoOf(await summaryOf(bytes, summary, block))).toEqual(await fullInfo(bytes))
        },
      ),
      { numRuns: tries(60) },
    )
  })

  it("is read anew where the first or the last bytes that a former one saw have changed", async () => {
    const named = (name: string) => `${JSON.stringify({ type: "session_info", id: "n", name })}\n`
    await fc.assert(
      fc.asyncProperty(generated, fc.boolean(), block, async (text, isEnd, block) => {
        const former = await summaryOf(bytesOf(text, named("a")), undefined, block)
        const head = isEnd ? text : text.replace(/"cwd":"./, '"cwd":"?')
        const bytes = bytesOf(head, named(isEnd ? "b" : "a"), '{"type":"label"}\n')
        expect(infoOf(await summaryOf(bytes, former, block))).toEqual(await fullInfo(bytes))
      }),
      { numRuns: tries(20) },
    )
  })

  it("is what a full parse says where a torn line, or one that lost its end, is followed by whole ones", async () => {
    const two = fc.tuple(generated, generated, fc.nat(), fc.nat())
    await fc.assert(
      fc.asyncProperty(two, async ([one, other, at, next]) => {
        const torn =
          at % 2 === 0
            ? one.slice(0, at % one.length)
            : linesIn(one)
                .slice(0, at % 50)
                .join("")
                .trimEnd()
        const lines = linesIn(other)
        const bytes = bytesOf(torn, ...lines.slice(next % lines.length))
        expect(infoOf(await summaryOf(bytes))).toEqual(await fullInfo(bytes))
      }),
      { numRuns: tries(60) },
    )
  })

  it("differs from a full parse only where a line is damaged in its middle, and by no more than the damaged lines", async () => {
    let differing = 0
    await fc.assert(
      fc.asyncProperty(generated, fc.nat(), async (text, seed) => {
        const damaged = damageBytes(bytesOf(text), new Random(seed)).bytes
        const [info, full] = [infoOf(await summaryOf(damaged)), await fullInfo(damaged)]
        if (JSON.stringify(info) === JSON.stringify(full)) return
        differing += 1
        const faults = (await fullLog(damaged))?.diagnostics.filter(
          ({ kind }) => kind === "invalid-json" || kind === "glued-records",
        )
        expect(faults).not.toEqual([])
        expect(Math.abs((info.messageCount ?? 0) - (full.messageCount ?? 0))).toBeLessThanOrEqual(faults?.length ?? 0)
        expect(info).toMatchObject({
          id: full.id,
          cwd: full.cwd,
          created: full.created,
          firstMessage: full.firstMessage,
        })
      }),
      { numRuns: tries(200) },
    )
    expect(differing).toBeLessThan(tries(50))
  })
})

function shuffled(fields: Record<string, unknown>, order: Iterable<number>): Record<string, unknown> {
  const keys = Object.keys(fields)
  const numbers = order[Symbol.iterator]()
  const places = new Map(keys.map((key) => [key, numbers.next().value as number]))
  return Object.fromEntries(
    keys.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0)).map((key) => [key, fields[key]]),
  )
}

function linesIn(text: string): string[] {
  return text.split(/(?<=\n)/)
}

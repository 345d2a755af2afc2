import { MemorySessionStorage, type SessionEntry, SessionManager } from "@treelog/session-core"
import { linesOf, readContextFromEnd, readLog } from "@treelog/session-core/adapter"
import { bytesOf, sessionText, testHeader, tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { loadState, loadStored, run, usualHead } from "../door.js"
import { fullInfo, KEY } from "../listing/full-summary.js"
import { infoOf, summaryOf } from "../listing/summary-of.js"

type EntryHead = Pick<SessionEntry, "type" | "id" | "parentId" | "timestamp">

const IDS = ["0000000a", "0000000b", "0000000c", "0000000d", "0000000e"]
const TIMES = ["2026-03-07T14:00:00.000Z", "2026-03-08T15:00:00.000Z"]

const id = fc.constantFrom(...IDS)
const parent = fc.option(id)

/** What a key of a head is given a second time. */
const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  type: fc.constantFrom("message", "custom", "session_info", "label"),
  id: fc.oneof(id, fc.constantFrom("", 7)),
  parentId: fc.oneof(parent, fc.constant(7)),
  timestamp: fc.oneof(fc.constantFrom(...TIMES), fc.constant(1_772_892_000_000)),
  message: fc.constantFrom({ role: "user", content: "again", timestamp: 9 }, 5, null),
  role: fc.constantFrom("user", "assistant", "toolResult"),
  stopReason: fc.constantFrom("stop", "error", "aborted"),
  isError: fc.boolean(),
  name: fc.string(),
  x: fc.constantFrom({ id: "deep", type: "message" }, [{ type: "message", role: "user" }, "id"], 1, "type", '","id":"'),
}
const member = fc
  .constantFrom(...Object.keys(VALUES))
  .chain((key) => fc.tuple(fc.constant(key), VALUES[key] as fc.Arbitrary<unknown>))

/** A key as it stands in a text: each letter plainly, or as an escape. */
const spelled = (key: string) =>
  fc
    .oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.nat((1 << key.length) - 1) },
      { weight: 1, arbitrary: fc.nat(key.length - 1).map((at) => 1 << at) },
    )
    .chain((escaped) =>
      fc.boolean().map((isUpper) => {
        const letters = [...key].map((letter, at) => {
          if ((escaped & (1 << at)) === 0) return letter
          const digits = letter.charCodeAt(0).toString(16).padStart(4, "0")
          return `\\u${isUpper ? digits.toUpperCase() : digits}`
        })
        return `"${letters.join("")}"`
      }),
    )

/** The text of a member, as writers put it, and with white space. */
const memberText = member.chain(([key, value]) =>
  fc
    .tuple(spelled(key), fc.constantFrom("", "", "", " ", "\t"))
    .map(([name, space]) => `${space}${name}${space}:${space}${JSON.stringify(value)}`),
)

/** Members between which others are put: at every level of an entry. */
const level = (members: readonly string[]) =>
  fc.array(fc.tuple(fc.nat(members.length), memberText), { maxLength: 2 }).map((more) => {
    const all = [...members]
    for (const [at, text] of more) all.splice(at, 0, text)
    return `{${all.join(",")}}`
  })

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('"id":"x"', '},"id":"x"', '],"role":"user"', '{"type":"message"', "\\", '\\"', "parentId"),
)
const block = fc.oneof(
  text.map((value) => JSON.stringify({ type: "text", text: value })),
  level(['"type":"toolCall"', '"id":"call"', '"name":"read"', '"arguments":{"path":"a","id":"b"}']),
)
const content = fc.array(block, { maxLength: 3 }).map((blocks) => `"content":[${blocks.join(",")}]`)
const time = fc.nat(2_000_000_000_000).map((at) => `"timestamp":${at}`)

const message = fc
  .tuple(content, time, text)
  .chain(([said, at, own]) =>
    fc
      .constantFrom(
        ['"role":"user"', said, at],
        ['"role":"user"', `"content":${JSON.stringify(own)}`, at],
        ['"role":"assistant"', said, '"usage":{"input":1,"cost":{"total":0}}', '"stopReason":"toolUse"', at],
        ['"role":"toolResult"', '"toolCallId":"call"', '"toolName":"read"', said, '"isError":false', at],
        ['"role":"toolResult"', '"details":{"content":[]}', said, '"isError":false', at],
      )
      .chain(level),
  )

const FORMS = ["front", "front", "back", "back", "late", "custom", "name"]

const lineOf = (own: string, parentId: string | null) =>
  fc
    .tuple(message, fc.constantFrom(...TIMES), fc.constantFrom(...FORMS), text)
    .chain(([body, timestamp, form, value]) => {
      const [ids, at] = [[`"id":"${own}"`, `"parentId":${JSON.stringify(parentId)}`], `"timestamp":"${timestamp}"`]
      const said = `"message":${body}`
      if (form === "front") return level(['"type":"message"', ...ids, at, said])
      if (form === "back") return level(['"type":"message"', at, said, ...ids])
      if (form === "late") return level(['"type":"custom"', '"customType":"x"', `"data":${body}`, ...ids, at])
      const given = JSON.stringify(value)
      return form === "name"
        ? level(['"type":"session_info"', ...ids, at, `"name":${given}`])
        : level(['"type":"custom"', ...ids, at, '"customType":"x"', `"data":${given}`])
    })

const line = fc.tuple(id, parent).chain(([own, parentId]) => lineOf(own, parentId))
/** Each the child of the one before, but for what is said again. */
const chain = fc
  .integer({ min: 1, max: IDS.length })
  .chain((count) => fc.tuple(...IDS.slice(0, count).map((own, at) => lineOf(own, IDS[at - 1] ?? null))))

function parsedHead(of: string): EntryHead {
  const { type, id, parentId, timestamp } = JSON.parse(of) as EntryHead
  return { type, id, parentId, timestamp }
}

function headOn(of: string): EntryHead | undefined {
  const bytes = bytesOf(of)
  return usualHead({ bytes, terminated: true })
}

async function storedText(content: string) {
  const storage = new MemorySessionStorage()
  const lease = await storage.lease(KEY, { access: "exclusive", waitMs: 0 })
  await lease.create([bytesOf(content)])
  await lease.release()
  return storage
}

describe("a key that stands in a line several times", () => {
  it("has the value that JSON.parse gives it, wherever heads are read of bytes", () => {
    fc.assert(
      fc.property(line, (of) => {
        const head = headOn(of)
        if (head) expect(head).toEqual(parsedHead(of))
      }),
      { numRuns: tries(1_000) },
    )
  })

  it("lets nearly all lines be read of bytes where no key of the head does", () => {
    const plain = (said: string) =>
      `{"type":"message","id":"0000000a","parentId":"0000000b","timestamp":"${TIMES[0]}","message":{${said}}}`
    const usual = [
      '"role":"user","content":"text","timestamp":1',
      '"role":"user","content":[{"type":"text","text":"},\\"id\\":"}],"timestamp":1',
      '"role":"assistant","content":[{"type":"toolCall","id":"call","name":"a","arguments":{"id":"a"}}],"usage":{"cost":{}},"stopReason":"stop","timestamp":1',
      '"role":"toolResult","toolCallId":"call","content":[],"details":{"id":"a","type":"b"},"isError":false,"timestamp":1',
    ]
    for (const said of usual) expect(headOn(plain(said)), said).toBeDefined()
  })

  it("gives the same list, tree, entries and context as parsing every line does", async () => {
    let fromEnd = 0
    await fc.assert(
      fc.asyncProperty(fc.oneof(chain, fc.array(line, { minLength: 1, maxLength: 6 })), async (lines) => {
        const content = `${sessionText(testHeader())}${lines.map((of) => `${of}\n`).join("")}`
        const bytes = bytesOf(content)
        expect(infoOf(await summaryOf(bytes))).toEqual(await fullInfo(bytes))
        const storage = await storedText(content)
        const stat = await storage.stat(KEY)
        const log = await readLog(linesOf(bytes), KEY)
        if (!stat || !log) throw new Error("Nothing was stored.")
        const parsed = loadState(log).state
        const indexed = (await run(loadStored(storage, KEY, stat, 0)))?.content.state
        expect(indexed?.entries()).toEqual(parsed.entries())
        expect(indexed?.leafId).toBe(parsed.leafId)
        expect(indexed?.name).toBe(parsed.name)
        expect(parsed.entries().map((_, at) => indexed?.tree.headAt(at).timestamp)).toEqual(
          parsed.entries().map((_, at) => parsed.tree.headAt(at).timestamp),
        )
        const session = await new SessionManager({ storage }).open(KEY, { access: "read" })
        for (const leafId of [undefined, ...parsed.entries().map(({ id: own }) => own)]) {
          const context = await readContextFromEnd(storage, KEY, { leafId })
          if (!context) continue
          fromEnd += 1
          expect(context).toEqual(session.buildSessionContext(leafId === undefined ? {} : { leafId }))
        }
      }),
      { numRuns: tries(300) },
    )
    expect(fromEnd).toBeGreaterThan(tries(100))
  })
})

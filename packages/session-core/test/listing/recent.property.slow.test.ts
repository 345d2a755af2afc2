import type { SessionInfo } from "@treelog/session-core"
import { SessionManager } from "@treelog/session-core"
import { messageEntry, sessionText, TEST_START, testHeader, tries, userMessage } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { CountingStorage } from "../session/counting-storage.js"
import { putStored } from "../session/stored-bytes.js"

const DAY = 24 * 60 * 60 * 1000
const FOLDERS = ["/project", "/other"]

interface Made {
  readonly cwd: string
  /** Milliseconds, from the beginning of all tests. */
  readonly begin: number
  /** Messages: how long after the one before each came, and how long it is. */
  readonly steps: readonly (readonly [after: number, length: number])[]
  readonly ending: string
}

/** Clocks may be a day wrong, and no more. */
const step = fc.tuple(fc.integer({ min: -DAY / 8, max: 5 * DAY }), fc.constantFrom(10, 400, 3_000, 20_000, 150_000))

const made: fc.Arbitrary<Made> = fc.record({
  cwd: fc.constantFrom(...FOLDERS),
  begin: fc.integer({ min: 0, max: 40 * DAY }),
  steps: fc.array(step, { maxLength: 8 }),
  ending: fc.constantFrom("", '{"type":"label"', `${JSON.stringify(entryOf("x".repeat(40_000), 0))}`, "{}\n"),
})

function entryOf(text: string, time: number) {
  return { type: "custom", id: "c", parentId: null, timestamp: new Date(TEST_START + time).toISOString(), data: text }
}

function textOf({ cwd, begin, steps, ending }: Made, id: string): string {
  let time = begin
  const messages = steps.map(([after, length], index) => {
    time += after
    return messageEntry(`m${index}`, null, userMessage("x".repeat(length), { timestamp: TEST_START + time }))
  })
  return sessionText(testHeader({ id, cwd }), ...messages) + ending
}

async function given(texts: readonly string[]) {
  const storage = new CountingStorage()
  for (const [index, text] of texts.entries()) await putStored(storage, `memory:/project/s${index}`, text)
  storage.forget()
  return { storage, sessions: new SessionManager({ storage }) }
}

async function sorted(infos: AsyncIterable<SessionInfo>): Promise<SessionInfo[]> {
  const all: SessionInfo[] = []
  for await (const info of infos) all.push(info)
  return all.sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1))
}

describe("the newest sessions", () => {
  it("are those that come first when all are read and put in order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(made, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), async (all, limit) => {
        const { sessions } = await given([...all.map((each, index) => textOf(each, `s${index}`)), "garbage\n"])
        for (const cwd of FOLDERS) {
          const whole = (await sorted(sessions.list(cwd))).filter(({ error }) => !error)
          expect(await sessions.recent(cwd, limit)).toEqual(whole.slice(0, limit))
        }
      }),
      { numRuns: tries(15) },
    )
  })

  it("are those of the list also where messages in the midst of long sessions say to be from years later", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(1_000), { minLength: 2, maxLength: 8 }), async (late) => {
        const { sessions } = await given(
          late.map((years, index) => {
            const said = (length: number, time: number) =>
              messageEntry("m", null, userMessage("x".repeat(length), { timestamp: TEST_START + time }))
            const entries = [said(9, DAY * 365 * (1 + years)), said(150_000, index * DAY), said(9, index * DAY)]
            return sessionText(testHeader({ id: `s${index}` }), ...entries)
          }),
        )
        expect(await sessions.recent("/project", 1)).toEqual((await sorted(sessions.list("/project"))).slice(0, 1))
      }),
      { numRuns: tries(5) },
    )
  })
})

describe("a list with the newest first", () => {
  it("is the list, put in order, up to its limit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(made, { maxLength: 12 }),
        fc.constantFrom(undefined, 1, 2, 5, 100),
        async (all, limit) => {
          const { sessions } = await given([...all.map((each, index) => textOf(each, `s${index}`)), "garbage\n"])
          const infos: SessionInfo[] = []
          for await (const info of sessions.listAll({ order: "newest", ...(limit && { limit }) })) infos.push(info)
          expect(infos).toEqual((await sorted(sessions.listAll())).slice(0, limit))
        },
      ),
      { numRuns: tries(8) },
    )
  })
})

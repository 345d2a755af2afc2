import { MemorySessionStorage, type Session, SessionManager } from "@treelog/session-core"
import { bytesOf, chunkings, entry, sessionText, testHeader, tries, userEntry } from "@treelog-internal/test-kit"
import { damageBytes } from "@treelog-internal/test-kit/damage"
import { allKinds, generateSession, Random, type SessionStyle } from "@treelog-internal/test-kit/generator"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { PageSession } from "./door.js"

const STYLES: readonly SessionStyle[] = ["pi", "pi-v1", "pi-migrated", "omp", "treelog"]

/** The session as the core opens it. */
async function asCoreHasIt(bytes: Uint8Array): Promise<Session> {
  const storage = new MemorySessionStorage()
  const key = "memory:/home/dev/shop/one"
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await lease.create([bytes])
  await lease.release()
  return new SessionManager({ storage }).open(key, { access: "read" })
}

function asPageHasIt(chunks: readonly Uint8Array[]): PageSession {
  const session = new PageSession("one")
  for (const chunk of chunks) session.push(chunk.slice())
  session.settle(true)
  return session
}

function factsOf(session: PageSession): object {
  const ordinals = Array.from({ length: session.count }, (_, ordinal) => ordinal)
  const leaf = session.leaf()
  return {
    entries: ordinals.map((ordinal) => session.entry(ordinal)),
    leafId: leaf === undefined ? null : session.summary(leaf).id,
    name: session.name || undefined,
    labels: ordinals.map((ordinal) => session.labels.get(session.summary(ordinal).id)?.label),
    branch: leaf === undefined ? [] : session.tree.pathTo(leaf).map((ordinal) => session.summary(ordinal).id),
  }
}

function factsOfCore(session: Session): object {
  const entries = session.getEntries()
  return {
    entries,
    leafId: session.getLeafId(),
    name: session.getSessionName() || undefined,
    labels: entries.map(({ id }) => session.getLabel(id)),
    branch: session.getBranch().map(({ id }) => id),
  }
}

describe.each(STYLES)("A session of %s", (style) => {
  test("is what the core makes of it, with every kind of entry, however its bytes come.", async () => {
    const bytes = bytesOf(...allKinds(style))
    const expected = factsOfCore(await asCoreHasIt(bytes))
    fc.assert(
      fc.property(chunkings(bytes), (chunks) => {
        expect(factsOf(asPageHasIt(chunks))).toEqual(expected)
      }),
      { numRuns: tries(30) },
    )
  })

  test("is what the core makes of it, with branches and compactions.", async () => {
    const lines = [
      ...generateSession({ seed: 11, style, entries: 300, branching: 0.3, compactions: 3, toolOutput: 60 }),
    ]
    const bytes = bytesOf(...lines)
    expect(factsOf(asPageHasIt([bytes]))).toEqual(factsOfCore(await asCoreHasIt(bytes)))
  })
})

test("A damaged session loses no entry that is not damaged, and says what is.", async () => {
  const lines = [...generateSession({ seed: 3, style: "pi", entries: 60, toolOutput: 40 })]
  const bytes = bytesOf(...lines)
  let end = 0
  const places = lines.map((line) => {
    const from = end
    end += bytesOf(line).length
    return { id: JSON.parse(line).id, from, to: end }
  })
  places.shift()
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const damage = damageBytes(bytes, new Random(seed))
      // Without its header it is no session, and that is said.
      if (damage.from < (lines[0]?.length ?? 0)) return
      const session = asPageHasIt([damage.bytes])
      const ids = new Set(Array.from({ length: session.count }, (_, ordinal) => session.summary(ordinal).id))
      const whole = places.filter(({ from, to }) => to < damage.from || from > damage.to)
      expect(whole.filter(({ id }) => !ids.has(id))).toEqual([])
      for (let ordinal = 0; ordinal < session.count; ordinal++) session.entry(ordinal)
    }),
    { numRuns: tries(200) },
  )
})

describe("A session that is still written", () => {
  const [header = "", first = "", second = ""] = [...generateSession({ seed: 1, style: "pi", entries: 5 })]
  const ids = (session: PageSession): string[] =>
    Array.from({ length: session.count }, (_, ordinal) => session.summary(ordinal).id)

  test("waits for the rest of a line.", () => {
    const session = new PageSession("one")
    session.push(bytesOf(header, first, second.slice(0, 30)).slice())
    session.settle(false)
    expect(ids(session)).toEqual([JSON.parse(first).id])
    expect(session.diagnostics).toEqual([])
    session.push(bytesOf(second.slice(30)).slice())
    session.settle(false)
    expect(ids(session)).toEqual([JSON.parse(first).id, JSON.parse(second).id])
  })

  test("has a last line that is whole before its line end comes, and once only.", () => {
    const session = new PageSession("one")
    session.push(bytesOf(header, first.trimEnd()).slice())
    session.settle(false)
    session.push(bytesOf("\n", second).slice())
    session.settle(false)
    expect(ids(session)).toEqual([JSON.parse(first).id, JSON.parse(second).id])
    expect(session.entry(1)).toEqual(JSON.parse(second))
  })

  test("names the answers of another process that its agent shows no more.", () => {
    const header = { type: "session", version: 3, id: "one", timestamp: "2026-03-01T10:00:00.000Z", cwd: "/a" }
    const entry = (id: string, parentId: string | null, role: string) => ({
      ...{ type: "message", id, parentId, timestamp: "2026-03-01T10:00:00.000Z" },
      message: { role, content: [{ type: "text", text: id }] },
    })
    const entries = [
      entry("u1", null, "user"),
      entry("u2", "u1", "user"),
      entry("u3", "u1", "user"),
      entry("a2", "u2", "assistant"),
      entry("a3", "u3", "assistant"),
    ]
    for (const source of [undefined, { agent: "claude-code" }]) {
      const session = new PageSession("one")
      const lines = [{ ...header, source }, ...entries].map((one) => `${JSON.stringify(one)}\n`)
      session.push(bytesOf(...lines).slice())
      session.settle(true)
      expect(session.diagnostics.map(({ entryId }) => entryId)).toEqual(source ? ["a2"] : [])
    }
  })

  test("has a torn line at its end.", () => {
    const session = new PageSession("one")
    session.push(bytesOf(header, first, second.slice(0, 30)).slice())
    session.settle(true)
    expect(session.diagnostics.map(({ kind }) => kind)).toEqual(["torn-line"])
  })
})

test("What is not a session is refused.", () => {
  expect(() => asPageHasIt([bytesOf("# Notes\n")])).toThrow(/is not a session/)
  expect(() => asPageHasIt([bytesOf('{"a":1}\n')])).toThrow(/is not a session/)
  expect(asPageHasIt([]).count).toBe(0)
})

test("is titled by its name, or else by the first line of its first question, up to a fence", () => {
  const titled = (...entries: readonly object[]): string =>
    asPageHasIt([bytesOf(sessionText(testHeader(), ...entries))]).title
  const asked = userEntry("u", null, "\nWhy is it red?\n```\nthe log\n```")
  expect(titled(asked, userEntry("v", "u", "And now?"))).toBe("Why is it red?")
  expect(titled(asked, entry("session_info", "n", "u", { name: "The build\nof Monday" }))).toBe("The build")
  expect(titled(userEntry("u", null, "```\nonly code\n```"))).toBe("only code")
  expect(titled()).toBe("")
})

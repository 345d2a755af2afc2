import { MemorySessionStorage, type SessionContext, SessionManager } from "@treelog/session-core"
import { linesOf, readContextFromEnd } from "@treelog/session-core/adapter"
import { assistantMessage, testClock, testIds, tries, userMessage } from "@treelog-internal/test-kit"
import { damageBytes } from "@treelog-internal/test-kit/damage"
import { allKinds, generateSession, Random, type SessionStyle } from "@treelog-internal/test-kit/generator"
import { describe, expect, it } from "vitest"
import { type BackwardLine, BackwardSplitter, readBackward } from "../door.js"

const encoder = new TextEncoder()
const PLACE = { cwd: "/home/dev/shop", id: "stored", timestamp: "2026-03-02T09:00:00.000Z" }
const STYLES: readonly SessionStyle[] = ["pi", "omp", "pi-migrated"]

/** Counts what is read. */
class MeteredStorage extends MemorySessionStorage {
  bytesRead = 0

  override async readRange(...range: Parameters<MemorySessionStorage["readRange"]>): Promise<Uint8Array> {
    const bytes = await super.readRange(...range)
    this.bytesRead += bytes.length
    return bytes
  }
}

async function storeWith(bytes: Uint8Array) {
  const storage = new MeteredStorage()
  const key = storage.keyFor(PLACE)
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await lease.create([bytes])
  await lease.release()
  return { storage, key, manager: new SessionManager({ storage, clock: testClock(), ids: testIds() }) }
}

/** The two ways must give the same at every leaf; returns how often the end alone was enough. */
async function expectSame(bytes: Uint8Array, what: string, leaves = 12): Promise<number> {
  const { storage, key, manager } = await storeWith(bytes)
  const session = await manager.open(key, { access: "read" }).catch(() => undefined)
  if (!session) {
    expect(await readContextFromEnd(storage, key).catch(() => undefined), what).toBeUndefined()
    return 0
  }
  let fromEnd = 0
  const compare = async (leafId: string | undefined): Promise<void> => {
    const full = session.buildSessionContext(leafId === undefined ? {} : { leafId })
    const short: SessionContext | undefined = await readContextFromEnd(storage, key, { leafId })
    if (short) expect(short, `${what}, leaf ${leafId}`).toEqual(full)
    if (short) fromEnd += 1
    expect(await manager.readContext(key, leafId === undefined ? {} : { leafId }), `${what}, leaf ${leafId}`).toEqual(
      full,
    )
  }
  await compare(undefined)
  const ids = session.getEntries().map(({ id }) => id)
  const step = Math.max(1, Math.floor(ids.length / leaves))
  for (let index = 0; index < ids.length; index += step) await compare(ids[index])
  return fromEnd
}

function generated(style: SessionStyle, seed: number, entries = 60): Uint8Array {
  const shape = { seed, style, entries, branching: 0.2, compactions: 2, toolOutput: 60, images: 0, edits: 0.2 }
  return encoder.encode([...generateSession(shape)].join(""))
}

/** In blocks as they come from a storage with promises alone. */
function blocksBackward(bytes: Uint8Array) {
  const storage = {
    readRange: async (_: string, offset: number, length: number) => bytes.slice(offset, offset + length),
  }
  const stat = { size: bytes.length, identity: "" }
  return readBackward({ storage, key: "", stat, ranges: undefined })
}

describe("lines from the end", () => {
  it("are the lines from the beginning, in reverse, for line ends of every kind", async () => {
    for (const text of ["a\nbb\nccc\n", "a\r\nb\n\n\nc", "\n", "x", "", "\n\na", `${"long".repeat(60_000)}\nend\n`]) {
      const bytes = encoder.encode(text)
      const backward: unknown[] = []
      const take = ({ offset, bytes, terminated }: BackwardLine) =>
        backward.push([offset, new TextDecoder().decode(bytes), terminated])
      const splitter = new BackwardSplitter()
      for await (const block of blocksBackward(bytes)) for (const line of splitter.push(block)) take(line)
      for (const line of splitter.finish()) take(line)
      const forward = [...linesOf(bytes)].map((line) => [
        line.offset,
        new TextDecoder().decode(line.bytes),
        line.terminated,
      ])
      expect(backward.reverse()).toEqual(forward)
    }
  })
})

describe("a context that is read from the end", () => {
  it("is the one that is read whole, for every kind of entry and every leaf", async () => {
    for (const style of STYLES) {
      const fromEnd = await expectSame(encoder.encode(allKinds(style).join("")), style, 1_000)
      expect(fromEnd).toBeGreaterThan(10)
    }
  })

  it("is the one that is read whole, for generated sessions with branches, compactions and edits", async () => {
    let fromEnd = 0
    for (let seed = 0; seed < tries(6); seed++)
      fromEnd += await expectSame(generated(STYLES[seed % 3] ?? "pi", seed), `seed ${seed}`)
    expect(fromEnd).toBeGreaterThan(tries(20))
  })

  it("is the one that is read whole, however the session was damaged", async () => {
    const random = new Random(5_2026)
    const runs = tries(15)
    let fromEnd = 0
    for (let run = 0; run < runs; run++) {
      let bytes = generated(STYLES[run % 3] ?? "pi", run % 11, 40)
      const kinds: string[] = []
      for (let count = random.between(1, 2); count > 0; count--) {
        const damage = damageBytes(bytes, random)
        bytes = damage.bytes
        kinds.push(damage.kind)
      }
      fromEnd += await expectSame(bytes, `run ${run}: ${kinds.join(", ")}`, 5)
    }
    expect(fromEnd).toBeGreaterThan(runs)
  })

  it("is the one that is read whole, wherever its lines stand: moved, doubled, gone", async () => {
    const random = new Random(11_2026)
    const runs = tries(15)
    let fromEnd = 0
    for (let run = 0; run < runs; run++) {
      const lines = new TextDecoder().decode(generated(STYLES[run % 3] ?? "pi", run, 40)).split("\n")
      const what: string[] = []
      for (let count = random.between(1, 3); count > 0; count--) {
        const from = random.between(1, lines.length - 2)
        const [line = ""] = lines.slice(from, from + 1)
        const kind = random.between(0, 2)
        if (kind !== 1) lines.splice(from, 1)
        if (kind !== 2) lines.splice(random.between(1, lines.length - 1), 0, line)
        what.push(`${["moved", "doubled", "gone"][kind]} ${from}`)
      }
      fromEnd += await expectSame(encoder.encode(lines.join("\n")), `run ${run}: ${what.join(", ")}`, 10)
    }
    expect(fromEnd).toBeGreaterThan(runs)
  })

  it("is the one that is read whole, where texts of its path have bytes that are no UTF-8", async () => {
    const bytes = generated("pi", 3)
    const letters = [...bytes.keys()].filter((at) => bytes[at] === 0x65 && bytes[at - 1] === 0x20)
    for (const at of letters.slice(-60)) bytes[at] = 0xff
    expect(await expectSame(bytes, "bytes that are no UTF-8")).toBeGreaterThan(0)
  })

  it("costs the entries that are in it where a compaction of treelog stands, not the file", async () => {
    const { storage, manager } = await storeWith(new Uint8Array())
    const session = await manager.create("/home/dev/shop")
    for (let turn = 0; turn < 400; turn++) {
      session.appendMessage(userMessage(`question ${turn} ${"x".repeat(2_000)}`))
      session.appendThinkingLevelChange(turn % 2 ? "high" : "low")
      session.appendMessage(assistantMessage(`answer ${turn} ${"y".repeat(2_000)}`))
    }
    const kept = session.appendMessage(userMessage("kept"))
    session.append({ type: "mode_change", mode: "plan", data: { file: "a.md" } })
    session.appendCompaction("what was said", kept, 100_000)
    session.appendMessage(userMessage("and now"))
    const full = session.buildSessionContext()
    await session.close()
    const key = session.getSessionFile() ?? ""
    const { size } = (await storage.stat(key)) ?? { size: 0 }
    storage.bytesRead = 0
    expect(await manager.readContext(key)).toEqual(full)
    expect(full.mode).toBe("plan")
    expect(size).toBeGreaterThan(1_600_000)
    expect(storage.bytesRead).toBeLessThan(size / 4)
  })

  it("is given up where only reading everything can tell: an older version, a leaf entry at the end, a torn end", async () => {
    const header = { type: "session", version: 3, id: "x", timestamp: PLACE.timestamp, cwd: "/" }
    const user = { type: "message", id: "a", parentId: null, timestamp: PLACE.timestamp, message: userMessage("a") }
    const leaf = { type: "leaf", id: "l", parentId: "a", timestamp: PLACE.timestamp, targetId: null }
    const text = (...lines: (object | string)[]) =>
      lines.map((line) => (typeof line === "string" ? line : `${JSON.stringify(line)}\n`)).join("")
    const unsure = [
      text({ ...header, version: 2 }, user),
      text(header, user, leaf),
      text(header, user, '{"type":"mess'),
      text(header, { ...user, parentId: "b" }, { ...user, id: "b" }),
    ]
    for (const content of unsure.slice(0, 3)) {
      const { storage, key } = await storeWith(encoder.encode(content))
      expect(await readContextFromEnd(storage, key), content).toBeUndefined()
    }
    for (const content of unsure) await expectSame(encoder.encode(content), content)
    const { manager, key } = await storeWith(encoder.encode(text(header, user)))
    await expect(manager.readContext(key, { leafId: "nobody" })).rejects.toMatchObject({ code: "EntryNotFoundError" })
    expect((await manager.readContext(key, { leafId: null })).messages).toEqual([])
  })
})

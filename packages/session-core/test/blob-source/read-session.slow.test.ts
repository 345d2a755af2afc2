import {
  type SessionManager as Manager,
  MemorySessionStorage,
  readSession,
  SessionManager,
} from "@treelog/session-core"
import { testClock, testIds, tries, userMessage } from "@treelog-internal/test-kit"
import { damageBytes } from "@treelog-internal/test-kit/damage"
import { allKinds, generateSession, Random, type SessionStyle } from "@treelog-internal/test-kit/generator"
import { describe, expect, it } from "vitest"

const STYLES: readonly SessionStyle[] = ["pi", "omp", "pi-migrated"]
const TIMESTAMP = "2026-03-02T09:00:00.000Z"
const encoder = new TextEncoder()

/** Counts what is asked of it. */
class MeteredBlob {
  bytesRead = 0
  readonly #blob: Blob

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#blob = new Blob([bytes])
  }

  get size(): number {
    return this.#blob.size
  }

  slice(from: number, to: number) {
    const part = this.#blob.slice(from, to)
    this.bytesRead += part.size
    return part
  }
}

async function managed(bytes: Uint8Array): Promise<{ manager: Manager; key: string }> {
  const storage = new MemorySessionStorage()
  const key = storage.keyFor({ cwd: "/home/dev/shop", id: "given", timestamp: TIMESTAMP })
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await lease.create([bytes])
  await lease.release()
  return { manager: new SessionManager({ storage, clock: testClock(), ids: testIds() }), key }
}

/** What is read out of a blob must be what an open session returns. */
async function expectSame(bytes: Uint8Array<ArrayBuffer>, what: string): Promise<void> {
  const { manager, key } = await managed(bytes)
  const session = await manager.open(key, { access: "read" }).catch(() => undefined)
  if (!session || bytes.length === 0) {
    await expect(readSession(new Blob([bytes])), what).rejects.toMatchObject({ code: "InvalidSessionError" })
    return
  }
  const reader = await readSession(new Blob([bytes]))
  expect(await reader.readContext(), what).toEqual(await manager.readContext(key))
  const outline = await reader.readOutline()
  expect(outline.header, what).toEqual(session.getHeader())
  expect(outline.leafId, what).toBe(session.getLeafId())
  const entries = []
  for await (const entry of reader.iterateEntries()) entries.push(entry)
  expect(entries, what).toEqual(session.getEntries())
  expect(outline.heads.map(({ id }) => id)).toEqual(entries.map(({ id }) => id))
  const ids = [...new Set(entries.map(({ id }) => id))].reverse().slice(0, 7)
  expect(await reader.readEntries(ids), what).toEqual(ids.map((id) => session.getEntry(id)))
  const leafId = ids.at(-1)
  if (leafId !== undefined)
    expect(await reader.readContext({ leafId }), what).toEqual(session.buildSessionContext({ leafId }))
}

function generated(style: SessionStyle, seed: number): Uint8Array<ArrayBuffer> {
  const shape = { seed, style, entries: 40, branching: 0.2, compactions: 2, toolOutput: 60, images: 0, edits: 0.2 }
  return encoder.encode([...generateSession(shape)].join(""))
}

describe("readSession", () => {
  it("gives what an open session gives, for every kind of entry", async () => {
    for (const style of STYLES) await expectSame(encoder.encode(allKinds(style).join("")), style)
  })

  it("gives what an open session gives, however the bytes were damaged", async () => {
    const random = new Random(9)
    for (let run = 0; run < tries(8); run++) {
      let bytes = generated(STYLES[run % 3] ?? "pi", run % 7)
      if (run > 6) bytes = damageBytes(bytes, random).bytes.slice()
      await expectSame(bytes, `run ${run}`)
    }
  })

  it("gives the same of a stream that comes in small pieces, and of bytes", async () => {
    const bytes = generated("pi", 3)
    const expected = await (await readSession(new Blob([bytes]))).readContext()
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 997) controller.enqueue(bytes.subarray(at, at + 997))
        controller.close()
      },
    })
    expect(await (await readSession(stream)).readContext()).toEqual(expected)
    expect(await (await readSession(bytes)).readContext()).toEqual(expected)
  })

  it("reads the header at first, and for a context no more than its end", async () => {
    const lines = [{ type: "session", version: 3, id: "x", timestamp: TIMESTAMP, cwd: "/" }] as object[]
    for (let index = 0; index < 4_000; index++) {
      const parentId = index === 0 ? null : `e${index - 1}`
      const settings = {
        thinkingLevel: "off",
        model: null,
        models: {},
        mode: "none",
        injectedTtsrRules: [],
        defaultModelIsExplicit: false,
      }
      lines.push(
        index === 3_990
          ? {
              ...{ type: "compaction", id: `e${index}`, parentId, timestamp: TIMESTAMP, summary: "s", settings },
              ...{ firstKeptEntryId: `e${index - 1}`, tokensBefore: 1 },
            }
          : {
              ...{ type: "message", id: `e${index}`, parentId, timestamp: TIMESTAMP },
              message: userMessage(`${index} ${"x".repeat(1_000)}`),
            },
      )
    }
    const blob = new MeteredBlob(encoder.encode(lines.map((line) => `${JSON.stringify(line)}\n`).join("")))
    const reader = await readSession(blob)
    expect(blob.bytesRead).toBeLessThan(5_000)
    const { messages } = await reader.readContext()
    expect(messages.length).toBe(11)
    expect(blob.bytesRead).toBeLessThan(blob.size / 4)
  })

  it("fails by code: without bytes, without a header, for an unknown entry, and when the file was changed", async () => {
    const code = (name: string) => expect.objectContaining({ code: name })
    await expect(readSession(new Uint8Array())).rejects.toEqual(code("InvalidSessionError"))
    await expect(readSession(encoder.encode("hello\n"))).rejects.toEqual(code("InvalidSessionError"))
    const reader = await readSession(generated("pi", 1))
    await expect(reader.readEntries(["nobody"])).rejects.toEqual(code("EntryNotFoundError"))
    await expect(reader.readContext({ leafId: "nobody" })).rejects.toEqual(code("EntryNotFoundError"))
    expect((await reader.readContext({ leafId: null })).messages).toEqual([])
    const gone = {
      size: 10,
      slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException("gone", "NotReadableError")) }),
    }
    await expect(readSession(gone, { name: "a.jsonl" })).rejects.toMatchObject({
      code: "StorageError",
      data: { key: "a.jsonl", operation: "readRange", errno: "NotReadableError" },
    })
  })
})

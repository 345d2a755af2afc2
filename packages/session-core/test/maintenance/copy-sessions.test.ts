import { MemoryBlobStore, MemorySessionStorage, type SessionStorage } from "@treelog/session-core"
import { blobRef, type Lease } from "@treelog/session-core/adapter"
import { type CopySessionsOptions, copySessions } from "@treelog/session-core/maintenance"
import { bytesOf, losingAnswers, sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { putStored, storedBytes, storedText } from "../session/stored-bytes.js"

const KEY = "memory:/project/test-session"
const HEADER = sessionText(testHeader())

async function storageWith(...texts: Parameters<typeof bytesOf>): Promise<MemorySessionStorage> {
  const storage = new MemorySessionStorage()
  await putStored(storage, KEY, ...texts)
  return storage
}

async function copied(options: CopySessionsOptions) {
  const reports = []
  for await (const report of copySessions(options)) reports.push(report)
  return reports
}

/** The storage with leases whose methods are replaced. */
function withLease(storage: SessionStorage, change: (lease: Lease) => Partial<Lease>): SessionStorage {
  return new Proxy(storage, {
    get(target, name) {
      if (name === "lease")
        return async (...args: Parameters<SessionStorage["lease"]>) => {
          const lease = await storage.lease(...args)
          const changed = change(lease)
          return new Proxy(lease, {
            get: (own, member) => {
              const value: unknown = Reflect.get(Object.hasOwn(changed, member) ? changed : own, member)
              return typeof value === "function" ? value.bind(own) : value
            },
          })
        }
      const member: unknown = Reflect.get(target, name)
      return typeof member === "function" ? member.bind(target) : member
    },
  })
}

function withoutHeader(text: string | undefined): string {
  return (text ?? "").slice((text ?? "").indexOf("\n") + 1)
}

async function replaceStored(storage: SessionStorage, key: string, ...pieces: Parameters<typeof bytesOf>) {
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await lease.remove()
  await lease.release()
  await putStored(storage, key, ...pieces)
}

describe("copySessions", () => {
  it("groups sessions by the project of their folder, where the target has projects, and finds them there again", async () => {
    const from = await storageWith(HEADER)
    const to = new MemorySessionStorage()
    const projectOf = (cwd: string) => (cwd === "/project" ? "host/me/shop" : undefined)
    const key = "memory:@host/me/shop/test-session"
    expect(await copied({ from, to, projectOf })).toMatchObject([{ status: "created", to: key }])
    expect(await copied({ from, to, projectOf })).toMatchObject([{ status: "unchanged", to: key }])
    expect(await copied({ from, to })).toMatchObject([{ status: "unchanged", to: key }])
  })

  it("leaves a session in the project that the source has it in, also where its folder is unknown here", async () => {
    const key = "memory:@host/me/shop/test-session"
    const from = new MemorySessionStorage()
    await putStored(from, key, HEADER)
    for (const keys of [undefined, [key]])
      expect(
        await copied({ from, to: new MemorySessionStorage(), projectOf: () => undefined, ...(keys && { keys }) }),
      ).toMatchObject([{ status: "created", to: key }])
  })

  it("stores any bytes as they are, whatever beginning of them the target has, and finds nothing to do then", async () => {
    const bytes = fc.uint8Array({ maxLength: 300 })
    await fc.assert(
      fc.asyncProperty(bytes, fc.option(fc.nat(400)), async (body, cut) => {
        const whole = new Uint8Array([...bytesOf(HEADER), ...body])
        const from = await storageWith(whole)
        const to = cut === null ? new MemorySessionStorage() : await storageWith(whole.slice(0, cut))
        const before = cut === null ? 0 : Math.min(cut, whole.length)
        const [first] = await copied({ from, to })
        const status = cut === null ? "created" : before === whole.length ? "unchanged" : "appended"
        expect(first).toMatchObject({ status, size: whole.length, written: whole.length - before })
        expect(await storedBytes(to, KEY)).toEqual(whole)
        expect(await copied({ from, to })).toMatchObject([{ status: "unchanged", written: 0 }])
      }),
    )
  })

  it("reports a session that differs as a conflict, one of which the target has more as ahead, and leaves both alone", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 50 }), fc.uint8Array({ maxLength: 50 }), async (one, other) => {
        fc.pre(!other.every((byte, at) => byte === one[at]))
        const [from, to] = [await storageWith(HEADER, one), await storageWith(HEADER, other)]
        const [before, there] = [await storedBytes(from, KEY), await storedBytes(to, KEY)]
        const differsAt = before.findIndex((byte, at) => byte !== there[at])
        const expected = differsAt === -1 ? { status: "ahead" } : { status: "conflict", differsAt }
        expect(await copied({ from, to })).toMatchObject([{ ...expected, written: 0 }])
        expect([await storedBytes(from, KEY), await storedBytes(to, KEY)]).toEqual([before, there])
      }),
    )
  })

  it("stores one that went its own way as a sibling, finds that again, and continues it", async () => {
    const entry = (id: string) => sessionText(userEntry(id, null))
    const to = await storageWith(HEADER, entry("a"), entry("b"))
    const first = await storageWith(HEADER, entry("a"), entry("c"))
    const [created] = await copied({ from: first, to, onConflict: "sibling" })
    expect(created).toMatchObject({ status: "created", siblingOf: KEY })
    const key = created && "to" in created ? created.to : ""
    const text = (await storedText(to, key)) ?? ""
    const header = JSON.parse(text.split("\n")[0] ?? "") as object
    expect(header).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), parentSession: "test-session" })
    expect(withoutHeader(text)).toBe(entry("a") + entry("c"))
    expect(await copied({ from: first, to, onConflict: "sibling" })).toMatchObject([{ status: "unchanged", to: key }])
    const grown = await storageWith(HEADER, entry("a"), entry("c"), entry("d"))
    expect(await copied({ from: grown, to, onConflict: "sibling" })).toMatchObject([{ status: "appended", to: key }])
    expect(await copied({ from: first, to, onConflict: "sibling" })).toMatchObject([{ status: "ahead", to: key }])
    expect(await storedText(to, KEY)).toBe(HEADER + entry("a") + entry("b"))
  })

  it("comes to rest where two machines copy to each other in turn, and loses nothing", async () => {
    const step = fc.record({ at: fc.constantFrom(0, 1), id: fc.constantFrom("a", "b", "c"), copies: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const machines = [await storageWith(HEADER), await storageWith(HEADER)] as const
        const copyFrom = (at: number) =>
          copied({
            from: machines[at] as SessionStorage,
            to: machines[1 - at] as SessionStorage,
            onConflict: "sibling",
          })
        const bodies = new Set<string>()
        for (const { at, id, copies } of steps) {
          const storage = machines[at] as SessionStorage
          await replaceStored(storage, KEY, (await storedText(storage, KEY)) ?? "", sessionText(userEntry(id, null)))
          bodies.add(withoutHeader(await storedText(storage, KEY)))
          if (copies) await copyFrom(at)
        }
        for (let round = 0; round < 4; round++) for (const at of [0, 1]) await copyFrom(at)
        for (const at of [0, 1])
          for (const report of await copyFrom(at)) expect(report).toMatchObject({ status: "unchanged" })
        for (const storage of machines) {
          const texts: string[] = []
          for await (const { key } of storage.list()) texts.push(withoutHeader(await storedText(storage, key)))
          for (const body of bodies) expect(texts.some((text) => text.startsWith(body))).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })

  it("gives copies another folder, and finds them again, moved ones too", async () => {
    const from = await storageWith(HEADER, "body")
    const to = new MemorySessionStorage()
    const cwdOf = (cwd: string) => cwd.replace("/project", "/Users/ada/shop")
    const key = "memory:/Users/ada/shop/test-session"
    expect(await copied({ from, to, cwdOf })).toMatchObject([{ status: "created", to: key }])
    expect(await storedText(to, key)).toBe(`${HEADER.replace('"/project"', '"/Users/ada/shop"')}body`)
    await replaceStored(from, KEY, HEADER, "body and more")
    expect(await copied({ from, to, cwdOf })).toMatchObject([{ status: "appended", to: key, written: 9 }])
    for (const map of [{ cwdOf }, {}, { cwdOf: () => "/elsewhere" }])
      expect(await copied({ from, to, ...map })).toMatchObject([{ status: "unchanged", to: key }])
    // And back.
    expect(await copied({ from: to, to: from })).toMatchObject([{ status: "unchanged", to: KEY }])
  })

  it("takes a title that omp wrote in place for no difference", async () => {
    const title = (text: string) =>
      `${JSON.stringify({ type: "title", v: 1, title: text, pad: " ".repeat(9 - text.length) })}\n`
    const [from, to] = [await storageWith(title("new"), HEADER, "body"), await storageWith(title("older"), HEADER)]
    expect(await copied({ from, to })).toMatchObject([{ status: "appended", written: 4 }])
    expect(await storedText(to, KEY)).toBe(`${title("older")}${HEADER}body`)
  })

  it("copies sessions larger than a block", async () => {
    const from = await storageWith(HEADER, "x".repeat(3_000_000))
    const to = await storageWith(HEADER, "x".repeat(10))
    expect(await copied({ from, to })).toMatchObject([{ status: "appended", written: 2_999_990 }])
    expect((await storedText(to, KEY)) === (await storedText(from, KEY))).toBe(true)
  })

  it("writes nothing in a dry run, and reports the same", async () => {
    const [from, to] = [await storageWith(HEADER), new MemorySessionStorage()]
    expect(await copied({ from, to, dryRun: true })).toMatchObject([{ status: "created", written: HEADER.length }])
    expect(await to.stat(KEY)).toBeUndefined()
  })

  it("copies what was stored when it came to a session; the rest comes with the next copy", async () => {
    const [from, to] = [await storageWith(HEADER), new MemorySessionStorage()]
    const more = bytesOf(sessionText(userEntry("a", null)))
    const writer = await from.lease(KEY, { access: "exclusive", waitMs: 0 })
    const writing = withLease(to, (lease) => ({
      create: async (...args) => {
        const stat = await from.stat(KEY)
        if (stat) await writer.append(more, stat)
        return lease.create(...args)
      },
    }))
    expect(await copied({ from, to: writing })).toMatchObject([{ status: "created", written: HEADER.length }])
    expect(await storedBytes(to, KEY)).toEqual(bytesOf(HEADER))
    expect(await copied({ from, to })).toMatchObject([{ status: "appended", written: more.length }])
    expect(await storedBytes(to, KEY)).toEqual(await storedBytes(from, KEY))
  })

  it("goes on after one that is busy in the target, and after one that is no session", async () => {
    const [from, to] = [new MemorySessionStorage(), new MemorySessionStorage()]
    for (const id of ["one", "two", "three"])
      await putStored(from, `memory:/p/${id}`, sessionText(testHeader({ id, cwd: "/p" })))
    await putStored(from, "memory:/p/bad", "nonsense\n")
    await to.lease("memory:/p/two", { access: "exclusive", waitMs: 0 })
    const reports = await copied({ from, to })
    expect(reports).toMatchObject([
      { key: "memory:/p/one", status: "created" },
      { key: "memory:/p/two", error: { code: "SessionBusyError" } },
      { key: "memory:/p/three", status: "created" },
      { key: "memory:/p/bad", error: { code: "InvalidSessionError" } },
    ])
  })

  it("is interrupted by its signal, and continues when it is repeated", async () => {
    const [from, to] = [await storageWith(HEADER, "x".repeat(3_000_000)), await storageWith(HEADER)]
    const interrupt = new AbortController()
    let compared = 0
    const onProgress = (bytes: number) => {
      compared += bytes
      if (compared > 1_000_000) interrupt.abort()
    }
    await expect(copied({ from, to, signal: interrupt.signal, onProgress })).rejects.toThrow(/abort/i)
    const there = (await storedBytes(to, KEY)).length
    expect(there).toBeGreaterThan(HEADER.length)
    expect(there).toBeLessThan(3_000_000)
    expect(await copied({ from, to })).toMatchObject([
      { status: "appended", written: HEADER.length + 3_000_000 - there },
    ])
    expect((await storedText(to, KEY)) === (await storedText(from, KEY))).toBe(true)
  })

  it("stores nothing twice where answers of the target are lost", async () => {
    const from = await storageWith(HEADER, sessionText(userEntry("a", null)))
    for (const to of [new MemorySessionStorage(), await storageWith(HEADER)]) {
      const [lost] = await copied({ from, to: losingAnswers(to, () => true) })
      expect(lost).toMatchObject({ key: KEY, error: { code: "StorageError" } })
      expect(await copied({ from, to })).toMatchObject([{ status: "unchanged" }])
      expect(await storedBytes(to, KEY)).toEqual(await storedBytes(from, KEY))
    }
  })

  it("reads back what it stored: other bytes are a StorageError", async () => {
    const [from, to] = [await storageWith(HEADER, "abc"), new MemorySessionStorage()]
    const damaging = withLease(to, (lease) => ({ create: () => lease.create([bytesOf(HEADER, "abd")]) }))
    expect(await copied({ from, to: damaging })).toMatchObject([
      { error: { code: "StorageError", data: { operation: "verify" } } },
    ])
  })

  it("finds a session that lies elsewhere in the target by its id", async () => {
    const [from, to] = [await storageWith(HEADER, "more"), new MemorySessionStorage()]
    await putStored(to, "memory:/moved/test-session", HEADER)
    expect(await copied({ from, to })).toMatchObject([{ status: "appended", to: "memory:/moved/test-session" }])
    expect(await to.stat(KEY)).toBeUndefined()
  })

  it("stores the blobs of a session before it, and reports those that are missing", async () => {
    const source = new MemoryBlobStore()
    const hash = await source.put(bytesOf("an image"))
    const missing = "0".repeat(64)
    const text = `${HEADER}${blobRef(hash)} torn ${blobRef(missing)}`
    const from = await storageWith(text)
    // A reference that the target has the beginning of is found too.
    for (const cut of [0, HEADER.length, HEADER.length + 30]) {
      const stores = { from: source, to: new MemoryBlobStore() }
      const to = await storageWith(text.slice(0, cut))
      const checked = withLease(to, (lease) => ({
        append: async (...args) => {
          const stat = await lease.append(...args)
          expect(await stores.to.has(hash)).toBe(true)
          return stat
        },
      }))
      expect(await copied({ from, to: checked, blobs: stores })).toMatchObject([
        { status: "appended", missingBlobs: [missing] },
      ])
    }
  })
})

import {
  MemoryBlobStore,
  MemorySessionStorage,
  SessionManager,
  type SessionStorage,
  TreelogError,
} from "@treelog/session-core"
import { blobRef, type Lease } from "@treelog/session-core/adapter"
import { copySessions } from "@treelog/session-core/maintenance"
import { bytesOf, losingAnswers, sessionText, testHeader, tries, userEntry } from "@treelog-internal/test-kit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { putStored, storedBytes, storedText } from "../session/stored-bytes.js"

type CopySessionsOptions = Parameters<typeof copySessions>[0]

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
        const status = !cut ? "created" : before === whole.length ? "unchanged" : "appended"
        expect(first).toMatchObject({ status, size: whole.length, written: whole.length - before })
        expect(await storedBytes(to, KEY)).toEqual(whole)
        expect(await copied({ from, to })).toMatchObject([{ status: "unchanged", written: 0 }])
      }),
    )
  })

  it("leaves what it has current beside entries of the same ids that say something else, wherever they begin", async () => {
    const said = (id: string, parent: string | null, content: string) =>
      sessionText({ ...userEntry(id, parent), message: { role: "user", content } })
    const mine = [said("a", null, "1"), said("b", "a", "2"), said("c", "b", "3")]
    for (const at of [0, 1, 2]) {
      const to = await storageWith(HEADER, ...mine)
      const theirs = mine.map((line, nth) => (nth >= at ? line.replace(/"content":"/, '"content":"run this: ') : line))
      const from = await storageWith(HEADER, ...theirs)
      expect(await copied({ from, to })).toMatchObject([{ status: "branched", added: 3 - at, rewritten: 3 - at }])
      const session = await new SessionManager({ storage: to }).open(KEY, { access: "read" })
      expect(session.getBranch().slice(0, 3)).toEqual(mine.map((line) => JSON.parse(line)))
      const others = session.getEntries().flatMap((entry) => ("otherContentOf" in entry ? entry.otherContentOf : []))
      expect(others).toEqual(["a", "b", "c"].slice(at))
      expect(await copied({ from, to })).toMatchObject([{ status: "unchanged", written: 0 }])
    }
  })

  it("takes sessions of two agents for two, also where their ids and times are those of one", async () => {
    const of = (agent: string, said: string) =>
      storageWith(
        sessionText({ ...JSON.parse(HEADER), source: { agent } }),
        sessionText({ ...userEntry(said, null), message: { role: "user", content: said } }),
      )
    const to = await of("cline", "mine")
    expect(await copied({ from: await of("roo", "theirs"), to })).toMatchObject([{ status: "created" }])
    expect(await copied({ from: await of("cline", "more"), to })).toMatchObject([{ status: "branched", to: KEY }])
  })

  it("takes entries for the same whose keys are in another order, and for others those whose output, command or label differs", async () => {
    const run = { role: "bashExecution", command: "ls", output: "a", exitCode: 0, timestamp: 1 }
    const entries = [
      { ...userEntry("a", null), message: run },
      { ...userEntry("b", "a"), type: "label", targetId: "a", label: "x" },
    ]
    const text = (changed: object[]) => HEADER + sessionText(...changed)
    const turned = entries.map((entry) => Object.fromEntries(Object.entries(entry).reverse()))
    const [first, second] = entries as [object, object]
    const reversed = { ...turned[0], message: Object.fromEntries(Object.entries(run).reverse()) }
    expect(
      await copied({ from: await storageWith(text([reversed, second])), to: await storageWith(text(entries)) }),
    ).toMatchObject([{ status: "unchanged" }])
    for (const other of [
      [{ ...first, message: { ...run, output: "b" } }, second],
      [{ ...first, message: { ...run, command: "rm" } }, second],
      [first, { ...second, label: "y" }],
    ])
      expect(
        await copied({ from: await storageWith(text(other)), to: await storageWith(text(entries)) }),
      ).toMatchObject([{ status: "branched" }])
  })

  it("adds what the original rewrote as a branch that becomes current, once, and changes nothing that is stored", async () => {
    const entry = (id: string, parent: string | null, fields = {}) =>
      sessionText({ ...userEntry(id, parent), ...fields })
    const there = HEADER + entry("a", null) + entry("b", "a")
    const to = await storageWith(there)
    const here = [HEADER, entry("a", null), entry("c", "a"), "torn\n", entry("b", "c")] as const
    const from = await storageWith(...here)
    const isOriginal = true
    expect(await copied({ from, to, isOriginal })).toMatchObject([
      { status: "branched", to: KEY, added: 2, rewritten: 1 },
    ])
    const merged = (await storedText(to, KEY)) ?? ""
    expect(merged.startsWith(there)).toBe(true)
    expect(merged).toContain("torn\n")
    const session = await new SessionManager({ storage: to }).open(KEY, { access: "read" })
    const rewritten = session.getChildren("c").map(({ id }) => id)
    expect([session.getChildren("a").map(({ id }) => id), rewritten]).toEqual([
      ["b", "c"],
      [expect.stringMatching(/^b~/)],
    ])
    // A source that was rewritten goes on from where it is; what was added in the target alone stays the leaf.
    expect(session.getLeafId()).toMatch(/^b~/)
    const other = await storageWith(HEADER, entry("a", null), entry("e", "a"))
    expect(await copied({ from: other, to, isOriginal })).toMatchObject([
      { status: "branched", added: 1, rewritten: 0 },
    ])
    const later = await new SessionManager({ storage: to }).open(KEY, { access: "read" })
    expect(later.getBranch().map(({ id }) => id)).toContain("c")
    expect(await copied({ from, to, isOriginal })).toMatchObject([{ status: "unchanged", written: 0 }])
    const grown = await storageWith(...here, entry("d", "b"))
    expect(await copied({ from: grown, to, isOriginal })).toMatchObject([{ status: "appended", to: KEY }])
    expect(await storedText(to, KEY)).toContain('"id":"d","parentId":"b~')
  })

  it("takes for the same what differs in form alone: folder, title, version, and whether an image is a blob", async () => {
    const image = { type: "image", mimeType: "image/png", data: btoa("x".repeat(1500)) }
    const entry = (data: string) =>
      sessionText({ ...userEntry("a", null), message: { role: "user", content: [{ ...image, data }] } })
    const blobs = new MemoryBlobStore()
    const hash = await blobs.put(bytesOf("x".repeat(1500)))
    const title = sessionText({ type: "title", v: 1, title: "a title" })
    const v1 = sessionText(
      { ...testHeader(), version: 1 },
      { type: "message", timestamp: "2026-03-07T14:00:00.000Z", message: { role: "user", content: "Hi" } },
    )
    const migrated = new MemorySessionStorage()
    await copied({ from: await storageWith(v1), to: migrated, slim: true })
    for (const [one, other] of [
      [HEADER + entry(image.data), HEADER + entry(blobRef(hash))],
      [HEADER + entry(image.data), title + HEADER + entry(image.data)],
      [HEADER, HEADER.replace("/project", "/moved")],
      [v1, (await storedText(migrated, KEY)) ?? ""],
    ] as [string, string][])
      for (const [here, there] of [
        [one, other],
        [other, one],
      ] as [string, string][])
        expect(await copied({ from: await storageWith(here), to: await storageWith(there) })).toMatchObject([
          { status: "unchanged", to: KEY, written: 0 },
        ])
  })

  it("stores another session with the same id under an id of its own, and finds it again", async () => {
    const to = await storageWith(HEADER)
    const from = await storageWith(sessionText(testHeader({ timestamp: "2020-01-01T00:00:00.000Z" })), "body\n")
    const [created] = await copied({ from, to })
    expect(created).toMatchObject({ status: "created", formerId: "test-session" })
    expect(await copied({ from, to })).toMatchObject([
      { status: "unchanged", to: created && "to" in created && created.to },
    ])
    expect(await storedText(to, KEY)).toBe(HEADER)
  })

  it("comes to rest where two machines copy to each other in turn, and loses nothing", async () => {
    const step = fc.record({ at: fc.constantFrom(0, 1), id: fc.constantFrom("a", "b", "c"), copies: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const machines = [await storageWith(HEADER), await storageWith(HEADER)] as const
        const copyFrom = (at: number) =>
          copied({ from: machines[at] as SessionStorage, to: machines[1 - at] as SessionStorage })
        const said: string[] = []
        let number = 0
        for (const { at, id, copies } of steps) {
          const storage = machines[at] as SessionStorage
          const line = sessionText(userEntry(id, null, `${at} ${number++}`))
          await replaceStored(storage, KEY, (await storedText(storage, KEY)) ?? "", line)
          said.push(line.slice(line.indexOf('"message":{'), line.lastIndexOf("}")))
          if (copies) await copyFrom(at)
        }
        for (let round = 0; round < 4; round++) for (const at of [0, 1]) await copyFrom(at)
        for (const at of [0, 1])
          for (const report of await copyFrom(at)) expect(report).toMatchObject({ status: "unchanged" })
        for (const storage of machines) {
          const text = (await storedText(storage, KEY)) ?? ""
          for (const line of said) expect(text).toContain(line)
        }
      }),
      { numRuns: tries(50) },
    )
  })

  it("gives copies another folder, and finds them again, moved ones too", async () => {
    const body = sessionText(userEntry("a", null))
    const from = await storageWith(HEADER, body)
    const to = new MemorySessionStorage()
    const cwdOf = (cwd: string) => cwd.replace("/project", "/Users/ada/shop")
    const key = "memory:/Users/ada/shop/test-session"
    expect(await copied({ from, to, cwdOf })).toMatchObject([{ status: "created", to: key }])
    expect(await storedText(to, key)).toBe(`${HEADER.replace('"/project"', '"/Users/ada/shop"')}${body}`)
    const more = sessionText(userEntry("b", "a"))
    await replaceStored(from, KEY, HEADER, body, more)
    expect(await copied({ from, to, cwdOf })).toMatchObject([{ status: "appended", to: key, written: more.length }])
    for (const map of [{ cwdOf }, {}, { cwdOf: () => "/elsewhere" }])
      expect(await copied({ from, to, ...map })).toMatchObject([{ status: "unchanged", to: key }])
    // And back.
    expect(await copied({ from: to, to: from })).toMatchObject([{ status: "unchanged", to: KEY }])
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
        { status: cut === 0 ? "created" : "appended", missingBlobs: [missing] },
      ])
    }
  })

  it("copies blobs again that the target lost, of a session that it has, whole, in part or rewritten", async () => {
    const theirs = new MemoryBlobStore()
    const hash = await theirs.put(new TextEncoder().encode("picture"))
    const [text, more] = [
      sessionText(testHeader(), userEntry("a", null, blobRef(hash))),
      sessionText(userEntry("b", "a")),
    ]
    const rewritten = sessionText(testHeader({ title: "Other" }), userEntry("a", null, blobRef(hash)))
    for (const stored of [text, text + more, HEADER, rewritten]) {
      const mine = new MemoryBlobStore()
      const options = {
        from: await storageWith(text),
        to: await storageWith(stored),
        blobs: { from: theirs, to: mine },
      }
      expect(await copied({ ...options, dryRun: true })).toMatchObject([{ copiedBlobs: [] }])
      expect(await copied(options)).toMatchObject([{ copiedBlobs: [hash], missingBlobs: [] }])
      expect(await mine.has(hash)).toBe(true)
    }
  })

  it("reports a session that is stored as stored, with why its artifacts are not", async () => {
    const error = new TreelogError("StorageError", "full", { key: KEY, operation: "write", errno: "ENOSPC" })
    const to = Object.assign(new MemorySessionStorage(), { addArtifacts: () => Promise.reject(error) })
    const from = Object.assign(await storageWith(HEADER), { artifacts: async function* () {} })
    expect(await copied({ from, to })).toMatchObject([{ status: "created", artifactsError: error }])
    expect(await storedText(to, KEY)).toBe(HEADER)
  })
})

import type { SessionInfo } from "@treelog/session-core"
import { MemorySessionStorage } from "@treelog/session-core"
import type { ListFilter, StoredName } from "@treelog/session-core/adapter"
import { repairSession } from "@treelog/session-core/maintenance"
import {
  assistantMessage,
  entry,
  messageEntry,
  sessionText,
  TEST_START,
  testHeader,
  toolResultMessage,
  userEntry,
  userMessage,
} from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { CountingStorage } from "./counting-storage.js"
import { givenManager, keyOf } from "./given-manager.js"
import { putStored } from "./stored-bytes.js"

const key = (cwd: string, id: string) => `memory:${cwd}/${id}`

/** Stores a session whose one user message is of the given minute. */
function put(
  storage: MemorySessionStorage,
  cwd: string,
  id: string,
  minute: number,
  ...more: object[]
): Promise<string> {
  const said = messageEntry("u", null, userMessage(`said by ${id}`, { timestamp: TEST_START + minute * 60_000 }))
  return putStored(storage, key(cwd, id), sessionText(testHeader({ id, cwd }), said, ...more))
}

async function given() {
  const made = givenManager()
  await put(made.storage, "/project", "aa11", 1)
  await put(made.storage, "/project", "aa22", 3, entry("session_info", "n", "u", { name: "the plan" }))
  await put(made.storage, "/other", "bb33", 2, entry("session_info", "n", "u", { name: "other plan" }))
  return made
}

async function all(infos: AsyncIterable<SessionInfo>): Promise<SessionInfo[]> {
  const found: SessionInfo[] = []
  for await (const info of infos) found.push(info)
  return found
}

const ids = (infos: readonly SessionInfo[]) => infos.map(({ id }) => id)

describe("resolve", () => {
  it("finds by path, without a look at it", async () => {
    const { sessions } = await given()
    expect(await sessions.resolve(key("/nowhere", "x"))).toBe(key("/nowhere", "x"))
  })

  it("opens the one session whose full id it is given, and of the others sees no more than names", async () => {
    const storage = new CountingStorage()
    const { sessions } = givenManager(storage)
    for (let count = 0; count < 50; count++) await put(storage, "/project", `id-${count}`, count)
    storage.forget()
    expect(await sessions.resolve("id-49")).toBe(key("/project", "id-49"))
    expect([storage.looked, [...storage.read.keys()]]).toEqual([[key("/project", "id-49")], [key("/project", "id-49")]])
  })

  it("finds by full id, by unique prefix and by exact name, in any folder", async () => {
    const { sessions } = await given()
    expect(await sessions.resolve("aa22")).toBe(key("/project", "aa22"))
    expect(await sessions.resolve("b")).toBe(key("/other", "bb33"))
    expect(await sessions.resolve("the plan")).toBe(key("/project", "aa22"))
  })

  it("finds by the unique end of a random id, of at least 8 characters", async () => {
    const { sessions, storage } = await given()
    const ids = ["019a1b2c-3d4e-7000-8000-00005eaf00d1", "019a1b2c-3d4e-7000-8000-0000c0ffee01", "0123456789abcdef"]
    for (const id of ids) await put(storage, "/project", id, 7)
    expect(await sessions.resolve("c0ffee01")).toBe(key("/project", ids[1] ?? ""))
    expect(await sessions.resolve("8000-00005eaf00d1")).toBe(key("/project", ids[0] ?? ""))
    expect(await sessions.resolve("89abcdef")).toBe(key("/project", ids[2] ?? ""))
    await expect(sessions.resolve("0ffee01")).rejects.toMatchObject({ code: "SessionNotFoundError" })
    await put(storage, "/project", "c0ffee01-0000-7000-8000-000000000000", 8)
    await expect(sessions.resolve("c0ffee01")).rejects.toMatchObject({ code: "AmbiguousSessionError" })
    await put(storage, "/project", "nightly-audit", 8)
    await put(storage, "/project", "other", 9, entry("session_info", "n", "u", { name: "ly-audit" }))
    expect(await sessions.resolve("ly-audit")).toBe(key("/project", "other"))
  })

  it("looks for names in one folder where one is given", async () => {
    const { sessions } = await given()
    await expect(sessions.resolve("other plan", { cwd: "/project" })).rejects.toMatchObject({
      code: "SessionNotFoundError",
    })
    expect(await sessions.resolve("other plan", { cwd: "/other" })).toBe(key("/other", "bb33"))
  })

  it("takes a full id before a prefix, and an id before a name", async () => {
    const { sessions, storage } = await given()
    await put(storage, "/project", "aa", 9)
    await put(storage, "/project", "zz", 9, entry("session_info", "n", "u", { name: "aa11" }))
    expect(await sessions.resolve("aa")).toBe(key("/project", "aa"))
    expect(await sessions.resolve("aa11")).toBe(key("/project", "aa11"))
  })

  it("counts back from the newest", async () => {
    const { sessions } = await given()
    expect(await sessions.resolve("@last")).toBe(key("/project", "aa22"))
    expect(await sessions.resolve("@-1")).toBe(key("/project", "aa22"))
    expect(await sessions.resolve("@-2")).toBe(key("/other", "bb33"))
    expect(await sessions.resolve("@-2", { cwd: "/project" })).toBe(key("/project", "aa11"))
    await expect(sessions.resolve("@-4")).rejects.toMatchObject({ code: "SessionNotFoundError", data: { ref: "@-4" } })
    await expect(sessions.resolve("@-0")).rejects.toMatchObject({ code: "SessionNotFoundError" })
  })

  it("names the candidates of an ambiguous prefix or name", async () => {
    const { sessions, storage } = await given()
    const error = await sessions.resolve("aa").catch((caught) => caught)
    expect(error).toMatchObject({ code: "AmbiguousSessionError", data: { ref: "aa" } })
    expect(error.data.candidates.map(({ id }: { id: string }) => id).sort()).toEqual(["aa11", "aa22"])
    await put(storage, "/project", "cc", 1, entry("session_info", "n", "u", { name: "the plan" }))
    await expect(sessions.open("the plan")).rejects.toMatchObject({
      code: "AmbiguousSessionError",
      data: { candidates: [{ name: "the plan" }, { name: "the plan" }] },
    })
  })

  it.each(["", " ", "\t\n", "nobody", "the pla", "AA11", "__proto__", "*", "."])(
    "finds nothing for %j",
    async (ref) => {
      const { sessions } = await given()
      await expect(sessions.resolve(ref)).rejects.toMatchObject({ code: "SessionNotFoundError", data: { ref } })
    },
  )

  it("trusts the header before the key, and is not stopped by broken sessions", async () => {
    const { sessions, storage } = await given()
    await putStored(storage, key("/project", "dd44"), "garbage\n")
    await putStored(storage, key("/project", "ee55"), sessionText(testHeader({ id: "real" })))
    // The id in a key, which no header has.
    expect(await sessions.resolve("ee55")).toBe(key("/project", "ee55"))
    expect(await sessions.resolve("real")).toBe(key("/project", "ee55"))
    await expect(sessions.resolve("ff66")).rejects.toMatchObject({ code: "SessionNotFoundError" })
    expect(await sessions.resolve("aa11")).toBe(key("/project", "aa11"))
  })

  it("finds a session without header by the id in its key, so that it can be repaired, where no other one fits", async () => {
    const { sessions, storage } = await given()
    const torn = `{"type":"session","vers\n${sessionText(userEntry("u", null))}`
    for (const id of ["dd44", "dd45", "ff66"]) await putStored(storage, key("/project", id), torn)
    expect(await sessions.resolve("dd44")).toBe(key("/project", "dd44"))
    expect(await sessions.resolve("f")).toBe(key("/project", "ff66"))
    await expect(sessions.resolve("dd")).rejects.toMatchObject({ code: "AmbiguousSessionError" })
    await putStored(storage, key("/project", "dd46"), sessionText(testHeader({ id: "dd46" })))
    expect(await sessions.resolve("dd")).toBe(key("/project", "dd46"))
    expect((await repairSession(sessions, "dd44")).changes).toMatchObject([{ kind: "missing-header" }, {}])
    expect((await sessions.open("dd44")).getSessionId()).toBe("dd44")
  })
})

describe("a list", () => {
  it("has the sessions of a folder by their header, whatever bucket they lie in", async () => {
    const { sessions, storage } = await given()
    await putStored(storage, key("/project", "guest"), sessionText(testHeader({ id: "guest", cwd: "/elsewhere" })))
    expect(ids(await all(sessions.list("/project"))).sort()).toEqual(["aa11", "aa22"])
    expect(ids(await all(sessions.listAll())).sort()).toEqual(["aa11", "aa22", "bb33", "guest"])
  })

  it("lists the columns of each session", async () => {
    const { sessions, storage } = givenManager()
    const said = sessionText(
      testHeader({ id: "x", parentSession: "p" }),
      messageEntry("u", null, userMessage("hello", { timestamp: TEST_START + 5 })),
      entry("session_info", "n", "u", { name: "named" }),
      messageEntry("a", "n", assistantMessage("hi", { timestamp: TEST_START + 9 })),
      messageEntry("t", "a", toolResultMessage("r", { timestamp: TEST_START + 99 })),
      messageEntry("b", "t", assistantMessage("done", { timestamp: TEST_START + 7 })),
    )
    await putStored(storage, key("/project", "x"), said)
    expect(await all(sessions.list("/project"))).toEqual([
      {
        path: key("/project", "x"),
        id: "x",
        cwd: "/project",
        name: "named",
        parentSession: "p",
        created: TEST_START,
        modified: TEST_START + 9,
        messageCount: 4,
        firstMessage: "hello",
        size: said.length,
        status: "complete",
        model: "anthropic/claude-test",
      },
    ])
  })

  it.each([
    ["complete", [assistantMessage("a")]],
    ["interrupted", [assistantMessage("a", { stopReason: "toolUse" })]],
    ["interrupted", [toolResultMessage("r")]],
    ["complete", [toolResultMessage("r", { stopReason: "stop" })]],
    ["aborted", [assistantMessage("a", { stopReason: "aborted" })]],
    ["error", [assistantMessage("a", { stopReason: "error" })]],
    ["pending", [userMessage("u")]],
    ["complete", [assistantMessage("a"), { role: "bashExecution", command: "ls" }]],
    ["unknown", []],
    ["unknown", [null, { role: "system" }]],
  ])("derives the status %s from the last message", async (status, messages) => {
    const { sessions, storage } = givenManager()
    const entries = messages.map((message, index) => entry("message", `${index}`, null, { message }))
    await putStored(storage, key("/project", "x"), sessionText(testHeader(), ...entries))
    expect(await all(sessions.listAll())).toMatchObject([{ status, messageCount: messages.length }])
  })

  it("takes the name from entries, else from the title line, else from the header", async () => {
    const { sessions, storage } = givenManager()
    const header = (id: string) => testHeader({ id, title: "by header" })
    const slot = { type: "title", title: "by slot" }
    const title = entry("title_change", "t", null, { title: "by entry" })
    await putStored(storage, key("/p", "1"), sessionText(header("1")))
    await putStored(storage, key("/p", "2"), sessionText(slot, header("2")))
    await putStored(storage, key("/p", "3"), sessionText(slot, header("3"), title))
    await putStored(
      storage,
      key("/p", "4"),
      sessionText(slot, header("4"), title, entry("session_info", "n", null, { name: "" })),
    )
    expect((await all(sessions.listAll())).map(({ name }) => name)).toEqual([
      "by header",
      "by slot",
      "by entry",
      undefined,
    ])
    for (const [id, name] of [
      ["1", "by header"],
      ["2", "by slot"],
      ["3", "by entry"],
      ["4", undefined],
    ] as const)
      expect((await sessions.open(id, { access: "read" })).getSessionName()).toBe(name)
  })

  it("takes the time of the header where nothing was said, and none where that has none", async () => {
    const { sessions, storage } = givenManager()
    await putStored(storage, key("/p", "1"), sessionText(testHeader()))
    await putStored(storage, key("/p", "2"), sessionText(testHeader({ timestamp: "never" })))
    expect((await all(sessions.listAll())).map(({ modified }) => modified)).toEqual([TEST_START, 0])
  })

  it("shows what cannot be read with its error, and all the others", async () => {
    const { sessions, storage } = await given()
    await putStored(storage, key("/project", "broken"), "garbage\n")
    await putStored(storage, key("/project", "empty"), "")
    await putStored(
      storage,
      key("/project", "odd"),
      sessionText({ type: "session", id: "odd", cwd: "/project" }, { a: 1 }, "{bad", userEntry("u", null)),
    )
    const infos = await all(sessions.list("/project"))
    expect(ids(infos).sort()).toEqual(["aa11", "aa22", "broken", "empty", "odd"])
    const errors = new Map(infos.map(({ id, error }) => [id, error?.code]))
    expect([errors.get("broken"), errors.get("empty"), errors.get("odd")]).toEqual([
      "InvalidSessionError",
      "InvalidSessionError",
      undefined,
    ])
    expect(infos.find(({ id }) => id === "broken")).toMatchObject({
      path: key("/project", "broken"),
      size: 8,
      messageCount: 0,
    })
  })

  it("shows places that cannot be looked into, whatever error they come with", async () => {
    class Locked extends MemorySessionStorage {
      override async *list(filter?: ListFilter): AsyncGenerator<StoredName> {
        yield { key: "memory:/locked", error: new Error("permission denied") }
        yield* super.list(filter)
      }
    }
    const { sessions, storage } = givenManager(new Locked())
    await put(storage, "/project", "aa11", 1)
    const infos = await all(sessions.listAll())
    expect(infos).toMatchObject([{ path: "memory:/locked", error: { message: "permission denied" } }, { id: "aa11" }])
    expect(await sessions.resolve("aa11")).toBe(key("/project", "aa11"))
  })

  it("is read as it is asked for, reports how far it is, and stops when its signal aborts", async () => {
    const { sessions, storage } = givenManager()
    for (let count = 0; count < 30; count++) await put(storage, "/project", `s${count}`, count)
    const progress: number[] = []
    const stop = new AbortController()
    const listing = sessions.list("/project", { signal: stop.signal, onProgress: (looked) => progress.push(looked) })
    await listing.next()
    expect(progress).toEqual([1])
    stop.abort()
    await expect(listing.next()).rejects.toMatchObject({ name: "AbortError" })
    const whole: [number, number][] = []
    for await (const _ of sessions.list("/project", { onProgress: (looked, total) => whole.push([looked, total]) }));
    expect(whole).toHaveLength(30)
    expect(whole.at(-1)).toEqual([30, 30])
  })
})

describe("recent", () => {
  it("gives the newest of the folder first, and no more than asked for", async () => {
    const { sessions, storage } = await given()
    await put(storage, "/project", "aa00", 2)
    await putStored(storage, key("/project", "broken"), "garbage\n")
    expect(ids(await sessions.recent("/project", 2))).toEqual(["aa22", "aa00"])
    expect(ids(await sessions.recent("/project", 9))).toEqual(["aa22", "aa00", "aa11"])
    expect(await sessions.recent("/nowhere", 9)).toEqual([])
  })
})

describe("continueRecent", () => {
  it("goes on where this terminal left off in the folder", async () => {
    const { sessions } = await given()
    await (await sessions.open("aa11")).close()
    expect((await sessions.continueRecent("/project")).getSessionId()).toBe("aa11")
  })

  it("takes the newest of the folder where the terminal left another folder, or nothing", async () => {
    const { sessions, storage } = await given()
    const first = await sessions.continueRecent("/project")
    expect(first.getSessionId()).toBe("aa22")
    await first.close()
    await storage.breadcrumbs.write("/other", key("/other", "bb33"))
    expect((await sessions.continueRecent("/project")).getSessionId()).toBe("aa22")
  })

  it("takes the newest where the breadcrumb's session is gone, of another folder, empty or broken", async () => {
    const { sessions, storage } = await given()
    await putStored(storage, key("/project", "broken"), "garbage\n")
    await putStored(storage, key("/project", "empty"), "")
    for (const left of [
      key("/project", "gone"),
      key("/other", "bb33"),
      key("/project", "empty"),
      key("/project", "broken"),
    ]) {
      await storage.breadcrumbs.write("/project", left)
      const session = await sessions.continueRecent("/project")
      expect(session.getSessionId()).toBe("aa22")
      await session.close()
    }
  })

  it("makes a new one where the folder has none, though its bucket holds another's", async () => {
    const { sessions, storage } = await given()
    await putStored(storage, key("/new", "guest"), sessionText(testHeader({ id: "guest", cwd: "/elsewhere" })))
    const session = await sessions.continueRecent("/new", { persist: "create" })
    expect([session.getCwd(), session.getEntries()]).toEqual(["/new", []])
    await session.close()
    expect((await sessions.continueRecent("/new")).getSessionId()).toBe(session.getSessionId())
  })

  it("leaves a breadcrumb for every session that is made or opened for writing, none for reading", async () => {
    const { sessions, storage } = await given()
    const created = await sessions.create("/project")
    expect(await storage.breadcrumbs.read()).toEqual({ cwd: "/project", key: keyOf(created) })
    await sessions.open("bb33", { access: "read" })
    expect(await storage.breadcrumbs.read()).toMatchObject({ cwd: "/project" })
    await sessions.open("bb33")
    expect(await storage.breadcrumbs.read()).toEqual({ cwd: "/other", key: key("/other", "bb33") })
  })
})

describe("readContext of a manager", () => {
  it("gives the context of any leaf without opening the session for anything else", async () => {
    const { sessions } = await given()
    const writer = await sessions.open("aa22")
    expect((await sessions.readContext("aa22")).entries).toEqual(["u"])
    expect((await sessions.readContext("the plan", { leafId: null })).messages).toEqual([])
    await writer.close()
  })
})

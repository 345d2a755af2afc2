import { type ClaudeSessionEntry, ClaudeSessionStore } from "@treelog/agent-sdks/claude"
import { describe, expect, test } from "vitest"
import { emptyStorage, removeFoldersAfterAll, STORAGES } from "../storages.js"

removeFoldersAfterAll()

// The facts that Anthropic's conformance suite for session stores checks (claude-agent-sdk-typescript,
// examples/session-stores/shared/conformance.ts), and those of the doc comments of the SDK.

const entry = (type: string, more: Record<string, unknown> = {}): ClaudeSessionEntry => ({ type, ...more })
const MAIN = { projectKey: "proj", sessionId: "sess" }
const sub = (subpath: string, main = MAIN) => ({ ...main, subpath })

describe.each(STORAGES)("a session store %s", (kind) => {
  const store = () => new ClaudeSessionStore({ storage: emptyStorage(kind) })

  test("loads what was appended, in order", async () => {
    const sessions = store()
    const entries = [entry("a", { n: 1, nested: { x: [1, 2, null] } }), entry("b", { n: 2 })]
    await sessions.append(MAIN, entries)
    expect(await sessions.load(MAIN)).toEqual(entries)
  })

  test("has null for what was never appended", async () => {
    const sessions = store()
    expect(await sessions.load(MAIN)).toBeNull()
    expect(await sessions.load(sub("subagents/a"))).toBeNull()
  })

  test("keeps the order of calls, also when none waits for the one before", async () => {
    const sessions = store()
    const types = Array.from({ length: 20 }, (_, index) => `e${index}`)
    await Promise.all(types.map((type) => sessions.append(MAIN, [entry(type), entry(`${type}+`)])))
    const loaded = await sessions.load(MAIN)
    expect(loaded?.map(({ type }) => type)).toEqual(types.flatMap((type) => [type, `${type}+`]))
  })

  test("stores nothing for an append without entries", async () => {
    const sessions = store()
    await sessions.append(MAIN, [])
    expect(await sessions.load(MAIN)).toBeNull()
    await sessions.append(MAIN, [entry("a")])
    await sessions.append(MAIN, [])
    expect(await sessions.load(MAIN)).toEqual([entry("a")])
  })

  test("keeps transcripts of subagents apart from that of the session", async () => {
    const sessions = store()
    await sessions.append(MAIN, [entry("main")])
    await sessions.append(sub("subagents/x"), [entry("sub")])
    expect(await sessions.load(MAIN)).toEqual([entry("main")])
    expect(await sessions.load(sub("subagents/x"))).toEqual([entry("sub")])
  })

  test("keeps projects apart, also those whose keys differ only in case or in a separator", async () => {
    const sessions = store()
    const keys = ["A", "a", "a/b", "a-b", "a:b"].map((projectKey) => ({ projectKey, sessionId: "s" }))
    for (const key of keys) await sessions.append(key, [entry(key.projectKey)])
    for (const key of keys) expect(await sessions.load(key)).toEqual([entry(key.projectKey)])
    expect(await sessions.listSessions("a-b")).toHaveLength(1)
  })

  test("lists the sessions of a project, with times in whole milliseconds since 1970", async () => {
    const sessions = store()
    await sessions.append({ projectKey: "P", sessionId: "s1" }, [entry("a")])
    await sessions.append({ projectKey: "P", sessionId: "s2" }, [entry("b")])
    await sessions.append({ projectKey: "Q", sessionId: "s3" }, [entry("c")])
    const listed = await sessions.listSessions("P")
    expect(listed.map(({ sessionId }) => sessionId).sort()).toEqual(["s1", "s2"])
    expect(listed.every(({ mtime }) => Number.isInteger(mtime) && mtime > 1e12)).toBe(true)
    expect(await sessions.listSessions("never seen")).toEqual([])
  })

  test("does not list a session that has only transcripts of subagents", async () => {
    const sessions = store()
    await sessions.append(sub("subagents/x"), [entry("sub")])
    expect(await sessions.listSessions(MAIN.projectKey)).toEqual([])
  })

  test("deletes a session, and one that is not there", async () => {
    const sessions = store()
    await sessions.append(MAIN, [entry("a")])
    await sessions.delete(MAIN)
    expect(await sessions.load(MAIN)).toBeNull()
    expect(await sessions.listSessions(MAIN.projectKey)).toEqual([])
    await sessions.delete({ projectKey: "x", sessionId: "never" })
  })

  test("deletes the transcripts of subagents with their session, and no others", async () => {
    const sessions = store()
    const others = [
      { projectKey: "proj", sessionId: "other" },
      { projectKey: "proj2", sessionId: "sess" },
    ]
    for (const key of [MAIN, sub("subagents/a"), sub("subagents/b"), ...others])
      await sessions.append(key, [entry("kept")])
    await sessions.delete(MAIN)
    for (const key of [MAIN, sub("subagents/a"), sub("subagents/b")]) expect(await sessions.load(key)).toBeNull()
    for (const key of others) expect(await sessions.load(key)).toEqual([entry("kept")])
    expect(await sessions.listSubkeys(MAIN)).toEqual([])
  })

  test("deletes one transcript of a subagent alone", async () => {
    const sessions = store()
    for (const key of [MAIN, sub("subagents/a"), sub("subagents/b")]) await sessions.append(key, [entry("kept")])
    await sessions.delete(sub("subagents/a"))
    expect(await sessions.load(sub("subagents/a"))).toBeNull()
    expect(await sessions.load(MAIN)).toEqual([entry("kept")])
    expect(await sessions.listSubkeys(MAIN)).toEqual(["subagents/b"])
  })

  test("lists the subagents of one session, without the session itself", async () => {
    const sessions = store()
    await sessions.append(MAIN, [entry("main")])
    expect(await sessions.listSubkeys(MAIN)).toEqual([])
    for (const key of [sub("subagents/a"), sub("subagents/b"), sub("subagents/c", { ...MAIN, sessionId: "other" })])
      await sessions.append(key, [entry("sub")])
    expect((await sessions.listSubkeys(MAIN)).sort()).toEqual(["subagents/a", "subagents/b"])
    expect(await sessions.listSubkeys({ projectKey: "x", sessionId: "never" })).toEqual([])
  })

  test("loads an entry that was appended again only once, and each of those without uuid", async () => {
    const sessions = store()
    const batch = [entry("user", { uuid: "u1" }), entry("title"), entry("user", { uuid: "u2" })]
    await sessions.append(MAIN, batch)
    await sessions.append(MAIN, batch)
    expect(await sessions.load(MAIN)).toEqual([...batch, entry("title")])
  })

  test("refuses an entry that JSON would change, and stores nothing of its batch", async () => {
    const sessions = store()
    for (const value of [1n, Number.NaN, new Date(0), new Map(), new Uint8Array(1), [undefined], () => 1]) {
      const error = { code: "UnserializableEntryError", data: { type: "bad" } }
      await expect(sessions.append(MAIN, [entry("good"), entry("bad", { value })])).rejects.toMatchObject(error)
    }
    const cycle = entry("bad")
    cycle.self = cycle
    await expect(sessions.append(MAIN, [cycle])).rejects.toMatchObject({ code: "UnserializableEntryError" })
    expect(await sessions.load(MAIN)).toBeNull()
  })

  test.each([
    ["projectKey", { ...MAIN, projectKey: "../other" }],
    ["projectKey", { ...MAIN, projectKey: "" }],
    ["sessionId", { ...MAIN, sessionId: "a\\..\\b" }],
    ["sessionId", { ...MAIN, sessionId: "nul\0" }],
    ["subpath", sub("")],
    ["subpath", sub("subagents/../../x")],
    ["subpath", sub("half \ud800")],
    ["name", sub("x".repeat(4000))],
  ])("refuses a key whose %s could leave its prefix or cannot be stored: %j", async (argument, key) => {
    const sessions = store()
    const error = { code: "InvalidArgumentError", data: { argument } }
    await expect(sessions.append(key, [entry("a")])).rejects.toMatchObject(error)
    await expect(sessions.load(key)).rejects.toMatchObject(error)
    await expect(sessions.delete(key)).rejects.toMatchObject(error)
  })
})

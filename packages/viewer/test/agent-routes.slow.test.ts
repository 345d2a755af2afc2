import { MemorySessionStorage, SessionManager, TreelogError } from "@treelog/session-core"
import { createSessionRoutes, type SessionScope } from "@treelog/viewer"
import fc from "fast-check"
import { expect, test } from "vitest"
import { BeginningReader, beginningText, followedTranscript } from "./door.js"

const [SHOP, LAB] = ["/home/ada/shop", "/home/ada/lab"]
const line = (value: object): string => `${JSON.stringify(value)}\n`
const said = (id: string, content: string): string =>
  line({ type: "message", id, parentId: null, timestamp: "2026-11-20T09:00:00Z", message: { role: "user", content } })
const talk = (content: string): string => line({ type: "session", version: 3, id: "x", cwd: SHOP }) + said("1", content)

/** Yields a text in pieces, all in one buffer, as storages do. */
async function* pieces(text: string, size = 50): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.alloc(size)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield buffer.subarray(0, bytes.copy(buffer, 0, at, at + size))
}

type Artifacts = Record<string, string | AsyncIterable<Uint8Array>>

/** Two sessions, the first of which has artifacts, and a handler that shows what `scope` says. */
async function routes(artifacts: Artifacts, scope: SessionScope | "none" = {}) {
  const storage = new MemorySessionStorage()
  const sessions = new SessionManager({ storage })
  for (const [id, cwd] of [
    ["shop-1", SHOP],
    ["lab-1", LAB],
  ] as const) {
    const session = await sessions.create(cwd, { id })
    session.appendMessage({ role: "user", content: "Ask somebody", timestamp: 0 })
    await session.close()
  }
  let read = 0
  Object.assign(storage, {
    async *artifacts(key: string) {
      read += 1
      if (!(await storage.stat(key))) throw new TreelogError("SessionNotFoundError", "It is gone.", { ref: key })
      for (const [name, found] of Object.entries(artifacts))
        yield { name, chunks: typeof found === "string" ? pieces(found) : found }
    },
  })
  const handle = createSessionRoutes({ sessions, authorize: () => (scope === "none" ? undefined : scope) })
  const get = async (path: string, init?: RequestInit) => {
    const response = await handle(new Request(`http://localhost/sessions/${path}`, init))
    return { status: response?.status, text: (await response?.text()) ?? "" }
  }
  const json = async (path: string) => JSON.parse((await get(path)).text)
  return { storage, sessions, handle, get, json, readCount: () => read }
}

const FOUND = { "subagents/agent-a1.jsonl": talk("Look for carts"), "b 2.jsonl": talk("Füße"), "notes.txt": "no" }

const range = (id: string, { size, identity }: { size: number; identity: string }, from = 0): string =>
  `shop-1/agents/${encodeURIComponent(id)}/bytes?${new URLSearchParams({ from: `${from}`, to: `${size}`, identity })}`

test("lists the transcripts of a session's sub-agents, and sends each as a session", async () => {
  const { json, get } = await routes({
    ...FOUND,
    "..jsonl": talk("dot"),
    "a/...jsonl": talk("dots"),
    "x.jsonl": "{}\n",
  })
  expect(await json("shop-1/agents")).toEqual({
    transcripts: [
      { id: "agent-a1", prompt: "Look for carts" },
      { id: "b 2", prompt: "Füße" },
    ],
  })
  for (const [id, text] of [
    ["agent-a1", talk("Look for carts")],
    ["b 2", talk("Füße")],
  ] as const) {
    const state = await json(`shop-1/agents/${encodeURIComponent(id)}/state`)
    expect(state).toEqual({ id, size: Buffer.byteLength(text), continues: false, identity: expect.any(String) })
    expect(await get(range(id, state))).toEqual({ status: 200, text })
    expect((await get(range(id, state, state.size - 3))).text).toBe(text.slice(-3))
    expect((await get(range(id, state, state.size))).text).toBe("")
  }
})

test("a session without sub-agents has none, and neither has a storage without artifacts", async () => {
  const { json } = await routes({})
  expect(await json("shop-1/agents")).toEqual({ transcripts: [] })
  const sessions = new SessionManager({ storage: new MemorySessionStorage() })
  const session = await sessions.create(SHOP, { id: "one" })
  session.appendMessage({ role: "user", content: "Alone", timestamp: 0 })
  await session.close()
  const handle = createSessionRoutes({ sessions, authorize: () => ({}) })
  const answer = async (path: string) => handle(new Request(`http://localhost/sessions/one/${path}`))
  expect(await (await answer("agents"))?.json()).toEqual({ transcripts: [] })
  expect((await answer("agents/agent-1"))?.status).toBe(404)
})

test("shows sub-agents only to requests that may see their session, and reads nothing for others", async () => {
  const mine = await routes(FOUND, { cwd: LAB })
  const refused = await routes(FOUND, "none")
  for (const path of ["agents", "agents/agent-a1/state", "agents/agent-a1/bytes?from=0&to=9&identity="]) {
    expect(await mine.get(`shop-1/${path}`)).toMatchObject({ status: 404 })
    expect((await mine.get(`shop-1/${path}`)).text).toBe((await mine.get(`none/${path}`)).text)
    expect(await refused.get(`shop-1/${path}`)).toMatchObject({ status: 403 })
  }
  expect([mine.readCount(), refused.readCount()]).toEqual([0, 0])
})

test("takes ids only, and no path", async () => {
  const { get, handle } = await routes(FOUND)
  for (const id of ["subagents%2Fagent-a1", "agent-a1.jsonl", "..%2Fshop-1", "%", "nobody", "notes", "%00", "shop-1"])
    for (const part of ["/state", "/bytes?from=0&to=9&identity=1-0123456789abcdef"])
      expect({ id, part, ...(await get(`shop-1/agents/${id}${part}`)) }).toMatchObject({
        status: 404,
        text: expect.stringContaining("no such transcript"),
      })
  expect(await get("shop-1/agents/agent-a1/blobs")).toMatchObject({ status: 404 })
  expect((await get("shop-1/agents/agent-a1/bytes/more")).status).toBeUndefined()
  expect(await get("shop-1/agents/agent-a1/bytes?from=x&to=9&identity=")).toMatchObject({ status: 400 })
  const posted = await handle(new Request("http://localhost/sessions/shop-1/agents/agent-a1", { method: "POST" }))
  expect(posted?.status).toBe(405)
  expect(await get("shop-1/agents/agent-a1/state", { method: "HEAD" })).toEqual({ status: 200, text: "" })
})

test("the state of a transcript: what is appended, what is rewritten, and its end", async () => {
  const artifacts: Artifacts = { "agent-a1.jsonl": talk("Look") }
  const { get, json } = await routes(artifacts)
  const path = "shop-1/agents/agent-a1/state"
  const first = await json(path)
  artifacts["agent-a1.jsonl"] = talk("Look") + said("2", "More")
  const grown = await json(`${path}?identity=${first.identity}`)
  expect(grown.continues).toBe(true)
  expect((await get(range("agent-a1", grown, first.size))).text).toBe(said("2", "More"))
  artifacts["agent-a1.jsonl"] = talk("Listen") + said("2", "More")
  const rewritten = await json(`${path}?identity=${grown.identity}`)
  expect(rewritten.continues).toBe(false)
  expect((await get(range("agent-a1", rewritten))).text).toContain("Listen")
  expect(await get(range("agent-a1", grown, grown.size))).toMatchObject({ status: 409 })
  await expect(get(range("agent-a1", grown))).rejects.toMatchObject({ code: "SessionChangedError" })
  delete artifacts["agent-a1.jsonl"]
  expect(await get(`${path}?identity=${rewritten.identity}`)).toMatchObject({ status: 404 })
})

test("ends what it reads when the reader leaves in the middle", async () => {
  let isEnded = false
  async function* endless() {
    try {
      for (let at = 0; ; at++) yield Buffer.from(at === 0 ? talk("Look") : said(`${at}`, "x".repeat(1_000)))
    } finally {
      isEnded = true
    }
  }
  const begun = new BeginningReader({ size: 0, hash: "" })
  begun.update(Buffer.from(talk("Look")))
  const { handle } = await routes({ "agent-a1.jsonl": endless() })
  const path = range("agent-a1", { size: 1e9, identity: beginningText(begun.read) })
  const reader = (await handle(new Request(`http://localhost/sessions/${path}`)))?.body?.getReader()
  expect(Buffer.from((await reader?.read())?.value ?? "").toString()).toBe(talk("Look"))
  expect(isEnded).toBe(false)
  await reader?.cancel()
  expect(isEnded).toBe(true)
})

test("answers an error of the storage with its status, and ends a transcript that fails in the middle", async () => {
  async function* failing() {
    yield Buffer.from(talk("Look"))
    throw new TreelogError("StorageError", "The disk at /srv/secret is gone.", {
      key: "/srv/secret",
      operation: "read",
      errno: "EIO",
    })
  }
  const { get } = await routes({ "agent-a1.jsonl": { [Symbol.asyncIterator]: failing } })
  const { status, text } = await get("shop-1/agents/agent-a1/state")
  expect(status).toBe(500)
  expect(text).not.toContain("secret")
})

test("a transcript continues exactly while it begins with what was read before", async () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "\n"), minLength: 1, maxLength: 12 }), {
    minLength: 1,
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 5 }), fc.boolean(), async (states, size, grows) => {
      let text = ""
      const storage = {
        async *artifacts() {
          yield { name: "one.jsonl", chunks: pieces(text, size) }
        },
      }
      const transcript = followedTranscript({ storage, key: "" }, "one")
      let last: { text: string; identity: string } | undefined
      for (const state of states) {
        text = grows && last ? last.text + state : state
        const now = await transcript.place(last?.identity)
        expect(now?.size).toBe(text.length)
        expect(now?.continues).toBe(last !== undefined && text.startsWith(last.text))
        let bytes = ""
        for await (const chunk of transcript.bytes(1, text.length, now?.identity ?? "")) bytes += Buffer.from(chunk)
        expect(bytes).toBe(text.slice(1))
        last = { text, identity: now?.identity ?? "" }
      }
    }),
    { examples: [[["a", "aa", "a"], 1, false]] },
  )
})

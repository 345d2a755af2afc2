import { type BlobStore, MemoryBlobStore, MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { createSessionRoutes, type SessionScope } from "@treelog/viewer"
import { expect, test } from "vitest"

const [SHOP, LAB] = ["/home/ada/shop", "/home/ada/lab"]

/** Two sessions of two folders, of which one was imported from Codex, and a handler that shows what `scope` says. */
async function routes({
  scope = {} as SessionScope | "none",
  blobs = undefined as BlobStore | undefined,
  withIndex = true,
} = {}) {
  const storage = new MemorySessionStorage()
  const sessions = new SessionManager({ storage })
  for (const [id, cwd, said] of [
    ["shop-1", SHOP, "The retry test is flaky"],
    ["lab-1", LAB, "Measure the flaky sensor"],
  ] as const) {
    const session = await sessions.create(cwd, { id })
    session.appendMessage({ role: "user", content: said, timestamp: Date.UTC(2026, 10, 20) })
    const usage = {
      input: 10,
      output: 5,
      cacheRead: 0,
      cacheWrite: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 },
    }
    session.appendMessage({
      role: "assistant",
      provider: "anthropic",
      model: "m",
      content: [{ type: "text", text: "Done" }],
      usage,
      timestamp: Date.UTC(2026, 10, 20),
    })
    await session.close()
  }
  const key = await sessions.resolve({ id: "lab-1" })
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  const stat = await storage.stat(key)
  if (!stat) throw new Error("The session is not stored.")
  const text = new TextDecoder().decode(await storage.readRange(key, 0, stat.size, stat.identity))
  const imported = text.replace('{"type":"session",', '{"type":"session","source":{"agent":"codex"},')
  await lease.replace([new TextEncoder().encode(imported)], { expected: stat })
  await lease.release()
  const handle = createSessionRoutes({
    sessions,
    blobs,
    ...(withIndex && { index: new MemorySessionIndex(storage, { agent: "treelog" }) }),
    authorize: async () => (scope === "none" ? undefined : scope),
    base: "/api",
  })
  const get = async (
    path: string,
  ): Promise<{ status: number | undefined; text: string; headers: Headers | undefined }> => {
    const response = await handle(new Request(`http://localhost${path}`))
    return { status: response?.status, text: (await response?.text()) ?? "", headers: response?.headers }
  }
  const json = async (path: string) => JSON.parse((await get(path)).text)
  const lines = async (path: string) =>
    (await get(path)).text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return { storage, sessions, handle, get, json, lines }
}

test("lists sessions by id, without the places where they are stored", async () => {
  const { lines, get } = await routes()
  const all = await lines("/api/sessions")
  expect(all.map(({ id }) => id).sort()).toEqual(["lab-1", "shop-1"])
  expect(all[0]).toMatchObject({ messageCount: 2, status: "complete" })
  expect((await get("/api/sessions")).text).not.toMatch(/"path"|memory:/)
  expect(await lines(`/api/sessions?cwd=${SHOP}`)).toMatchObject([{ id: "shop-1" }])
  expect(await lines("/api/sessions?limit=1")).toHaveLength(1)
  expect(await lines("/api/sessions?until=2020")).toEqual([])
  expect(await get("/api/sessions?since=someday")).toMatchObject({ status: 400 })
})

test("sends the bytes of a session, and refuses those of another one that took its place", async () => {
  const { json, get, lines } = await routes()
  const { size, identity } = await json("/api/sessions/shop-1/state")
  const range = (to: number, of = identity) =>
    `/api/sessions/shop-1/bytes?from=0&to=${to}&identity=${encodeURIComponent(of)}`
  expect(await lines(range(size))).toHaveLength(3)
  expect((await get(range(10))).text).toHaveLength(10)
  expect(await get(range(size, "another"))).toMatchObject({ status: 409 })
  expect(await get("/api/sessions/shop-1/bytes?from=-1&to=5&identity=x")).toMatchObject({ status: 400 })
})

test("sends the state of a session now", async () => {
  const { sessions, json } = await routes()
  const { size, identity } = await json("/api/sessions/shop-1/state")
  const session = await sessions.open({ id: "shop-1" })
  session.appendMessage({ role: "user", content: "More", timestamp: 0 })
  await session.close()
  const grown = await json("/api/sessions/shop-1/state")
  expect(grown.size).toBeGreaterThan(size)
  expect(grown.identity).toBe(identity)
})

test("answers a search and sums as the index does, with ids instead of keys", async () => {
  const { json, get } = await routes()
  const found = await json("/api/search?q=flaky%20-sensor")
  expect(found).toMatchObject({ isMore: false, updating: null, sessions: [{ session: { id: "shop-1", cwd: SHOP } }] })
  expect(found.sessions[0].session).not.toHaveProperty("key")
  const [hit] = found.sessions[0].hits
  expect(hit.snippet.text.slice(...hit.snippet.matches[0])).toBe("flaky")
  expect((await json("/api/usage?by=day")).rows).toMatchObject([{ totals: { cost: 1, input: 20 } }])
  const partsOf = async (per: string): Promise<string[]> =>
    (await json(`/api/usage?by=day&per=${per}`)).rows[0].parts.map(({ name }: { name: string }) => name).sort()
  expect([await partsOf("project"), await partsOf("model")]).toEqual([[LAB, SHOP].sort(), ["anthropic/m"]])
  expect(await get("/api/usage?by=day&per=moon")).toMatchObject({ status: 400 })
  const agents = (await json("/api/usage?by=agent")).rows.map(({ key }: { key: string }) => key).sort()
  expect(agents).toEqual(["codex", "treelog"])
  expect((await json("/api/usage?by=session&agent=codex")).rows).toMatchObject([{ key: "lab-1" }])
  for (const query of ["q=agent:codex", "q=&agent=codex"])
    expect((await json(`/api/search?${query}`)).sessions).toMatchObject([{ session: { id: "lab-1" } }])
  expect((await json("/api/usage?by=session")).rows.map(({ key }: { key: string }) => key).sort()).toEqual([
    "lab-1",
    "shop-1",
  ])
  expect(await get("/api/usage?by=moon")).toMatchObject({ status: 400 })
  expect(await get("/api/search?q=role:nobody")).toMatchObject({ status: 400 })
})

test("without an index, search and usage say so, and everything else works", async () => {
  const { get, lines } = await routes({ withIndex: false })
  expect(await get("/api/search?q=flaky")).toMatchObject({ status: 503 })
  expect(await lines("/api/sessions")).toHaveLength(2)
})

test("shows a request only what it may see, whatever it asks for", async () => {
  const { lines, json, get } = await routes({ scope: { cwd: SHOP } })
  expect(await lines("/api/sessions")).toMatchObject([{ id: "shop-1" }])
  expect(await lines(`/api/sessions?cwd=${LAB}`)).toEqual([])
  expect(await json(`/api/search?q=flaky%20cwd:${LAB}`)).toMatchObject({ sessions: [] })
  expect(await json("/api/search?q=flaky")).toMatchObject({ sessions: [{ session: { id: "shop-1" } }] })
  expect(await json(`/api/usage?cwd=${LAB}`)).toMatchObject({ rows: [] })
  expect((await json("/api/usage")).rows).toMatchObject([{ totals: { cost: 0.5 } }])
  for (const part of ["/state", "/bytes?from=0&to=9&identity=x"])
    expect(await get(`/api/sessions/lab-1${part}`)).toMatchObject({ status: 404 })
  const refused = await routes({ scope: "none" })
  expect(await refused.get("/api/sessions")).toMatchObject({ status: 403 })
})

test("names nothing by a path, and answers nothing that is not its own", async () => {
  const { storage, get, handle } = await routes()
  let key = ""
  for await (const name of storage.list()) key = name.key
  for (const id of [key, "../shop-1", "%2e%2e%2fshop-1", "shop", "%", "@last"])
    expect(await get(`/api/sessions/${encodeURIComponent(id)}/state`)).toMatchObject({ status: 404 })
  for (const path of ["/sessions", "/api", "/api/other", "/api/sessions/shop-1/blobs/a/b"])
    expect(await get(path)).toMatchObject({ status: undefined })
  const posted = await handle(new Request("http://localhost/api/sessions", { method: "POST" }))
  expect(posted?.status).toBe(405)
  expect((await get("/api/sessions/shop-1/state")).headers?.get("content-security-policy")).toContain(
    "default-src 'none'",
  )
})

test("sends a blob by its hash, and nothing for another name", async () => {
  const blobs = new MemoryBlobStore()
  const hash = await blobs.put(new TextEncoder().encode("picture"))
  const { get } = await routes({ blobs })
  expect(await get(`/api/sessions/shop-1/blobs/${hash}`)).toMatchObject({ status: 200, text: "picture" })
  expect(await get(`/api/sessions/shop-1/blobs/${"0".repeat(64)}`)).toMatchObject({ status: 404 })
  expect(await get("/api/sessions/shop-1/blobs/..%2Fkey")).toMatchObject({ status: 404 })
})

test("answers HEAD as GET, without a body, and names what it takes where it refuses a method", async () => {
  const { handle, json } = await routes()
  const { size, identity } = await json("/api/sessions/shop-1/state")
  const range = new URLSearchParams({ from: "0", to: String(size), identity })
  for (const path of ["/sessions", "/sessions/shop-1/state", `/sessions/shop-1/bytes?${range}`]) {
    const answer = await handle(new Request(`http://localhost/api${path}`, { method: "HEAD" }))
    expect(answer).toMatchObject({ status: 200, body: null })
  }
  const gone = await handle(new Request("http://localhost/api/sessions/none/state", { method: "HEAD" }))
  expect(gone).toMatchObject({ status: 404, body: null })
  const put = await handle(new Request("http://localhost/api/sessions/shop-1", { method: "PUT", body: "x" }))
  expect(put).toMatchObject({ status: 405 })
  expect(put?.headers.get("allow")).toBe("GET, HEAD")
})

test("asks who may see it at every request, and says nothing of what it may not", async () => {
  const { sessions } = await routes()
  const asked: string[] = []
  const handle = createSessionRoutes({
    sessions,
    authorize: ({ headers }) => {
      const who = headers.get("authorization") ?? "nobody"
      asked.push(who)
      return who === "ada" ? { cwd: SHOP } : undefined
    },
  })
  const get = (path: string, authorization: string) =>
    handle(new Request(`http://localhost${path}`, { headers: { authorization } }))
  expect(await get("/sessions/shop-1/state", "ada")).toMatchObject({ status: 200 })
  expect(await get("/sessions/shop-1/state", "eve")).toMatchObject({ status: 403 })
  expect(await get("/sessions/lab-1/state", "ada")).toMatchObject({ status: 404 })
  expect(asked).toEqual(["ada", "eve", "ada"])
  const [seen, missing] = await Promise.all(
    ["/sessions/lab-1", "/sessions/none"].map(async (path) => (await get(path, "ada"))?.text()),
  )
  expect(seen).toBe(missing)
})

test("refuses a query that no person has written, before anything is read", async () => {
  const { get } = await routes()
  const long = "x".repeat(100_000)
  for (const path of [
    `/search?q=${long}`,
    `/sessions?cwd=${long}`,
    `/usage?by=${long}`,
    `/sessions/shop-1/bytes?identity=${long}`,
  ])
    expect(await get(`/api${path}`)).toMatchObject({ status: 414 })
  expect(await get(`/api/search?q=${"a%20".repeat(1_000)}`)).toMatchObject({ status: 200 })
})

test("sends a big session as it is read, and stops reading when the reader leaves", async () => {
  const { storage, sessions } = await routes()
  const session = await sessions.create(SHOP, { id: "big" })
  for (let number = 0; number < 40; number++)
    session.appendMessage({ role: "user", content: "x".repeat(400_000), timestamp: 0 })
  await session.close()
  let reads = 0
  const counted = new Proxy(storage, {
    get(target, name) {
      if (name === "readRange") reads += 1
      const value = Reflect.get(target, name)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
  const handle = createSessionRoutes({ sessions: new SessionManager({ storage: counted }), authorize: () => ({}) })
  const get = async (path: string) => (await handle(new Request(`http://localhost${path}`))) as Response
  const { size, identity } = JSON.parse(await (await get("/sessions/big/state")).text())
  const range = new URLSearchParams({ from: "0", to: String(size), identity })
  expect(size).toBeGreaterThan(12 << 20)
  reads = 0
  const reader = (await get(`/sessions/big/bytes?${range}`)).body?.getReader()
  await reader?.read()
  const before = reads
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(reads).toBe(before)
  expect(reads).toBeLessThan(8)
  await reader?.cancel()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(reads).toBeLessThan(8)
  let sent = 0
  for await (const bytes of (await get(`/sessions/big/bytes?${range}`)).body ?? []) sent += bytes.length
  expect(sent).toBe(size)
})

test("ends a list whose request was aborted", async () => {
  const { handle } = await routes()
  const left = new AbortController()
  left.abort()
  const answer = await handle(new Request("http://localhost/api/sessions", { signal: left.signal }))
  await expect(answer?.text()).rejects.toThrow()
})

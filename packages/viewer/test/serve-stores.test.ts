import { request } from "node:http"
import {
  MemoryBlobStore,
  MemorySessionStorage,
  SessionManager,
  type SessionStorage,
  TreelogError,
} from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { Library, type Source } from "@treelog/stores"
import { type ServedPage, serveStores } from "@treelog/viewer"
import { assistantMessage, bytesOf } from "@treelog-internal/test-kit"
import { afterEach, beforeEach, describe, expect, test } from "vitest"

const TOKEN = "t0ken-t0ken-t0ken-t0ken"
const PAGE = "<head><!--treelog:head--><title>treelog</title> connect-src 'none'</head><!--treelog:session--></html>"

let served: ServedPage
const blobs = new MemoryBlobStore()
const managers = new Map<string, SessionManager>()
const extrasOf = async () => ({ blobs, resume: (session: string) => `treelog resume ${session} <&"` })

async function storeOf(name: string, id: string, said: string): Promise<Source> {
  const storage = new MemorySessionStorage()
  const sessions = new SessionManager({ storage })
  managers.set(name, sessions)
  const session = await sessions.create("/home/ada/shop", { id })
  session.appendMessage({ role: "user", content: said, timestamp: Date.UTC(2026, 10, 20) })
  await session.close()
  return { name, address: name, madeBy: name, storage, projectOf: (cwd) => cwd, manager: async () => sessions }
}

function libraryOf(stores: readonly Source[]): Library {
  const index = new MemorySessionIndex(
    stores.map(({ address, storage, madeBy }) => ({ name: address, storage, agent: madeBy })),
  )
  return new Library(stores, { index: async () => index })
}

beforeEach(async () => {
  const stores = [await storeOf("treelog", "shop-1", "The retry test"), await storeOf("pi", "lab-2.x", "Measure it")]
  served = await serveStores({ sessions: libraryOf(stores), extrasOf, token: TOKEN, port: 0, page: PAGE })
})
afterEach(() => served.close())

interface Answer {
  readonly status: number | undefined
  readonly body: string
}

/** As a browser would, but with paths as they are written here, and headers of the test's own. */
function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  const port = Number(new URL(served.url).port)
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path: `/${TOKEN}/${path}`, method, headers }, (response) => {
      let body = ""
      response.setEncoding("utf8")
      response.on("data", (piece) => {
        body += piece
      })
      response.on("end", () => resolve({ status: response.statusCode, body }))
    })
    asked.on("error", reject)
    asked.end()
  })
}

describe("a served page of all sessions", () => {
  test("names its stores, and may ask this server and nobody else", async () => {
    const { status, body } = await ask("")
    expect(status).toBe(200)
    const stores = JSON.parse(/content="([^"]*)"/.exec(body)?.[1]?.replaceAll("&quot;", '"') ?? "")
    expect(stores).toEqual({
      base: "all/",
      stores: [
        { name: "treelog", agent: "treelog", open: "open/treelog/" },
        { name: "pi", agent: "pi", open: "open/pi/" },
      ],
    })
    expect(body).toContain("connect-src 'self'")
  })

  test("answers for all stores as one, and for the one that is named", async () => {
    const lines = (await ask("all/sessions")).body
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lines.map(({ store, id }) => [store, id]).sort()).toEqual([
      ["pi", "lab-2.x"],
      ["treelog", "shop-1"],
    ])
    const found = JSON.parse((await ask("all/search?q=retry")).body)
    expect(found).toMatchObject({ sessions: [{ store: "treelog", session: { id: "shop-1" } }], updating: null })
    expect(JSON.parse((await ask("all/search?q=retry&store=pi")).body).sessions).toEqual([])
    expect(JSON.parse((await ask("all/usage?by=day")).body)).toMatchObject({ rows: [] })
  })

  test("says what sessions do, without the files that show it, of those of which it is known", async () => {
    const sessions = libraryOf([await storeOf("pi", "live", "Measure it"), await storeOf("treelog", "old", "Hello")])
    const state = { state: "works", since: 1, by: [{ what: "pid-file", says: "", path: "/secret" }] }
    const live =
      async () =>
      async ({ id }: { readonly id: string }) =>
        id === "live" ? state : undefined
    const other = await serveStores({ sessions, live, token: TOKEN, port: 0, page: PAGE })
    const answer = await fetch(`${other.url}all/sessions`)
    const lines = (await answer.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    await other.close()
    expect(lines.map((line) => [line.id, line.live]).sort()).toEqual([
      ["live", { state: "works", since: 1 }],
      ["old", undefined],
    ])
  })

  test("lists a conversation that two stores have once, at its newest copy, and finds and counts it once", async () => {
    const copies = [await storeOf("codex", "both", "Why is it red?"), await storeOf("treelog", "other", "Hello")]
    const [from, to] = copies.map(({ storage }) => storage) as [SessionStorage, SessionStorage]
    const key = (await managers.get("codex")?.resolve({ id: "both" })) ?? ""
    const { size, identity } = (await from.stat(key)) ?? { size: 0, identity: "" }
    const lease = await to.lease(key, { access: "exclusive", waitMs: 0 })
    await lease.create([await from.readRange(key, 0, size, identity)])
    await lease.release()
    const newer = await managers.get("treelog")?.open({ id: "both" })
    const usage = { input: 5, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 6 }
    newer?.appendMessage({ ...assistantMessage("A timer", { usage }), timestamp: Date.UTC(2026, 10, 21) })
    await newer?.close()
    const other = await serveStores({ sessions: libraryOf(copies), token: TOKEN, port: 0, page: PAGE })
    const json = async (path: string): Promise<Record<string, unknown>> =>
      (await (await fetch(`${other.url}all/${path}`)).json()) as Record<string, unknown>
    try {
      const lines = (await (await fetch(`${other.url}all/sessions`)).text()).trimEnd().split("\n")
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        { id: "both", store: "treelog", copies: ["codex"] },
        { id: "other" },
      ])
      expect(await json("search?q=red")).toMatchObject({ sessions: [{ store: "treelog", hits: [{}] }] })
      expect((await json("usage?by=session")).rows).toMatchObject([
        { key: "both", store: "treelog", totals: { calls: 1, totalTokens: 6 } },
      ])
    } finally {
      await other.close()
    }
  })

  test("names a store that cannot be read, and answers for the others", async () => {
    const broken = await storeOf("pi", "one", "Hello")
    const fail = (): never => {
      throw new TreelogError("StorageError", `${TOKEN} is a secret place`, { key: "", operation: "list", errno: "EIO" })
    }
    const storage = Object.assign(Object.create(broken.storage), { list: fail })
    const stores = [await storeOf("treelog", "two", "Hello"), { ...broken, storage }]
    const other = await serveStores({ sessions: libraryOf(stores), token: TOKEN, port: 0, page: PAGE })
    const fault = { store: "pi", code: "StorageError" }
    try {
      const lines = (await (await fetch(`${other.url}all/sessions`)).text()).trimEnd().split("\n")
      expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ id: "two" }), { fault }])
      for (const path of ["search?q=hello", "usage?by=day"])
        expect(await (await fetch(`${other.url}all/${path}`)).json()).toMatchObject({ faults: [fault] })
    } finally {
      await other.close()
    }
  })

  test("opens each session in the viewer, and answers what that page asks for", async () => {
    const { status, body } = await ask("open/treelog/shop-1/")
    expect(status).toBe(200)
    expect(body).toContain('content="live" data-name="shop-1.jsonl" data-home="../../../"')
    const storage = managers.get("treelog")?.storage
    const key = await managers.get("treelog")?.resolve({ id: "shop-1" })
    const { size, identity } = (await storage?.stat(key ?? "")) ?? {}
    const range = new URLSearchParams({ from: "0", to: String(size), identity: identity ?? "" })
    expect((await ask(`open/treelog/shop-1/bytes?${range}`)).body).toContain("The retry test")
    const hash = await blobs.put(bytesOf("a picture"))
    expect((await ask(`open/treelog/shop-1/blobs/${hash}`)).body).toBe("a picture")
    expect((await ask(`open/pi/${encodeURIComponent("lab-2.x")}/`)).status).toBe(200)
  })

  test.each([
    "nothing",
    "all/",
    "all",
    "all/sessions/shop-1",
    "all/nothing",
    "http://[",
    "open/treelog/shop-1/http://[",
    "open/treelog/",
    "open/treelog/shop-1",
    "open/treelog/shop-2/",
    "open/treelog/%ff/",
    "open/treelog/../../etc/passwd/",
    "open/pi/shop-1/",
    `open/treelog/${encodeURIComponent("/home/ada/shop/a.jsonl")}/`,
    "open/treelog/@last/",
  ])("has nothing at %s", async (path) => {
    expect((await ask(path)).status).toBe(404)
  })

  test("says that there is nothing as a page to who navigates, and as JSON to who asks", async () => {
    const browser = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", accept: "text/html,*/*;q=0.8" }
    for (const path of ["nothing", "open/treelog/shop-2/", "open/treelog/shop-1/nothing", "all/nothing"]) {
      for (const headers of [browser, { accept: browser.accept }]) {
        const { status, body } = await ask(path, headers)
        expect([status, body]).toEqual([404, expect.stringMatching(/"treelog-missing" content="There is n[^"]*"/)])
        expect(body).toContain(`data-home="/${TOKEN}/" data-home-name="All sessions"`)
      }
      for (const headers of [{}, { "sec-fetch-dest": "empty", accept: browser.accept }]) {
        const { status, body } = await ask(path, headers)
        expect([status, JSON.parse(body)]).toEqual([404, { message: expect.stringContaining("There is n") }])
      }
    }
    const stranger = await fetch(served.url.replace(TOKEN, "another-token-of-24-signs"), { headers: browser })
    expect([stranger.status, await stranger.text()]).toEqual([404, expect.not.stringContaining("data-home")])
  })

  test("refuses other sites, other hosts and other methods", async () => {
    expect((await ask("all/sessions", { host: "evil.test" })).status).toBe(403)
    expect((await ask("all/sessions", { "sec-fetch-site": "same-site" })).status).toBe(403)
    expect((await ask("all/sessions", {}, "POST")).status).toBe(405)
    expect((await fetch(served.url.replace(TOKEN, "another-token-of-24-signs"))).status).toBe(404)
  })

  test("a session's page has the command that goes on with it, as an attribute and no markup", async () => {
    expect((await ask("open/treelog/shop-1/")).body).toContain('data-resume="treelog resume shop-1 &lt;&amp;&quot;"')
  })

  test("a store can have any name that is a part of an address", async () => {
    const name = "omp:my work/ü?#%"
    const other = await serveStores({
      sessions: libraryOf([await storeOf(name, "one", "Hello")]),
      token: TOKEN,
      port: 0,
      page: PAGE,
    })
    try {
      const answer = await fetch(`${other.url}open/${encodeURIComponent(name)}/one/`)
      expect(answer.status).toBe(200)
      expect((await fetch(`${other.url}open/omp/one/`)).status).toBe(404)
      expect(await (await fetch(`${other.url}all/sessions`)).json()).toMatchObject({ id: "one", store: name })
    } finally {
      await other.close()
    }
  })

  test("takes no two stores of one name, and no name that changes an address", async () => {
    const [store] = [await storeOf("treelog", "a", "b")]
    for (const names of [["a", "a"], ["."], [".."], [""]])
      await expect(
        serveStores({
          sessions: libraryOf(names.map((name) => ({ ...store, name }))),
          token: TOKEN,
          port: 0,
          page: PAGE,
        }),
      ).rejects.toMatchObject({ code: "InvalidArgumentError" })
  })
})

import { request } from "node:http"
import { MemoryBlobStore, MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { bytesOf } from "@treelog-internal/test-kit"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type ServedPage, type ServedStore, serveStores } from "../src/index.js"

const TOKEN = "t0ken-t0ken-t0ken-t0ken"
const PAGE = "<head><!--treelog:head--><title>treelog</title> connect-src 'none'</head><!--treelog:session--></html>"

let served: ServedPage
const blobs = new MemoryBlobStore()
const managers = new Map<string, SessionManager>()

async function storeOf(name: string, id: string, said: string): Promise<ServedStore> {
  const storage = new MemorySessionStorage()
  const sessions = new SessionManager({ storage })
  managers.set(name, sessions)
  const session = await sessions.create("/home/ada/shop", { id })
  session.appendMessage({ role: "user", content: said, timestamp: Date.UTC(2026, 10, 20) })
  await session.close()
  return {
    name,
    sessions,
    index: new MemorySessionIndex(storage),
    blobs,
    resume: (session) => `treelog resume ${session} <&"`,
  }
}

beforeEach(async () => {
  const stores = [await storeOf("treelog", "shop-1", "The retry test"), await storeOf("pi", "lab-2.x", "Measure it")]
  served = await serveStores({ stores, token: TOKEN, port: 0, page: PAGE })
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
    expect(stores).toEqual([
      { name: "treelog", agent: "treelog", base: "stores/treelog/", open: "open/treelog/" },
      { name: "pi", agent: "pi", base: "stores/pi/", open: "open/pi/" },
    ])
    expect(body).toContain("connect-src 'self'")
  })

  test("answers for each store by itself", async () => {
    expect(JSON.parse((await ask("stores/treelog/sessions")).body)).toMatchObject({ id: "shop-1" })
    expect(JSON.parse((await ask("stores/pi/sessions")).body)).toMatchObject({ id: "lab-2.x" })
    const found = JSON.parse((await ask("stores/treelog/search?q=retry")).body)
    expect(found).toMatchObject({ sessions: [{ session: { id: "shop-1" } }], updating: null })
    expect(JSON.parse((await ask("stores/pi/usage?by=day")).body)).toMatchObject({ rows: [] })
    expect((await ask("stores/treelog/sessions/shop-1/nothing")).status).toBe(404)
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
    expect(JSON.parse((await ask("open/treelog/shop-1/search?query=retry")).body).ids).toHaveLength(1)
    expect((await ask(`open/pi/${encodeURIComponent("lab-2.x")}/`)).status).toBe(200)
  })

  test.each([
    "nothing",
    "stores/",
    "stores/other/sessions",
    "stores/pi/nothing",
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
    for (const path of ["nothing", "open/treelog/shop-2/", "open/treelog/shop-1/nothing", "stores/pi/nothing"]) {
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
    expect((await ask("stores/pi/sessions", { host: "evil.test" })).status).toBe(403)
    expect((await ask("stores/pi/sessions", { "sec-fetch-site": "same-site" })).status).toBe(403)
    expect((await ask("stores/pi/sessions", {}, "POST")).status).toBe(405)
    expect((await fetch(served.url.replace(TOKEN, "another-token-of-24-signs"))).status).toBe(404)
  })

  test("a session's page has the command that goes on with it, as an attribute and no markup", async () => {
    expect((await ask("open/treelog/shop-1/")).body).toContain('data-resume="treelog resume shop-1 &lt;&amp;&quot;"')
  })

  test("a store can have any name that is a part of an address", async () => {
    const name = "omp:my work/ü?#%"
    const other = await serveStores({
      stores: [await storeOf(name, "one", "Hello")],
      token: TOKEN,
      port: 0,
      page: PAGE,
    })
    try {
      const answer = await fetch(`${other.url}stores/${encodeURIComponent(name)}/sessions`)
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("Hello")])
      expect((await fetch(`${other.url}stores/omp/sessions`)).status).toBe(404)
    } finally {
      await other.close()
    }
  })

  test("takes no two stores of one name, and no name that changes an address", async () => {
    const [store] = [await storeOf("treelog", "a", "b")]
    for (const names of [["a", "a"], ["."], [".."], [""]])
      await expect(
        serveStores({ stores: names.map((name) => ({ ...store, name })), token: TOKEN, port: 0, page: PAGE }),
      ).rejects.toMatchObject({ code: "InvalidArgumentError" })
  })
})

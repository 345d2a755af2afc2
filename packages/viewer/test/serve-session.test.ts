import { request } from "node:http"
import { MemoryBlobStore } from "@treelog/session-core"
import { type ServedPage, serveSession } from "@treelog/viewer"
import { bytesOf, StoredSession, sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import { afterEach, beforeEach, describe, expect, test } from "vitest"

const TOKEN = "t0ken-t0ken-t0ken-t0ken"
const PAGE = "<head><!--treelog:head--><title>treelog</title> connect-src 'none'</head><!--treelog:session--></html>"
const text = sessionText(testHeader(), userEntry("one", null, "first"))

let session: StoredSession
let served: ServedPage
const blobs = new MemoryBlobStore()

beforeEach(async () => {
  session = new StoredSession()
  await session.store(text)
  const { storage, key } = session
  served = await serveSession({
    storage,
    key,
    blobs,
    token: TOKEN,
    port: 0,
    title: "<b>",
    fileName: "a.jsonl",
    page: PAGE,
  })
})
afterEach(() => served.close())

const port = (): number => Number(new URL(served.url).port)

interface Answer {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** As a browser would, but with headers of the test's own. */
function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port: port(), path, method, headers }, (response) => {
      let body = ""
      response.setEncoding("utf8")
      response.on("data", (piece) => {
        body += piece
      })
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body }))
    })
    asked.on("error", reject)
    asked.end()
  })
}

const identity = async (): Promise<string> => (await session.storage.stat(session.key))?.identity ?? ""
const range = async (from: number, to: number): Promise<Answer> =>
  ask(`/${TOKEN}/bytes?from=${from}&to=${to}&identity=${encodeURIComponent(await identity())}`)

describe("a served session", () => {
  test("is at an address of this machine with the token in it.", () => {
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/t0ken-t0ken-t0ken-t0ken\/$/)
  })

  test("has its page, which may ask this server and nobody else.", async () => {
    const { status, headers, body } = await ask(`/${TOKEN}/`)
    expect(status).toBe(200)
    expect(body).toContain('<meta name="treelog-session" content="live" data-name="a.jsonl" />')
    expect(body).toContain("<title>&lt;b&gt;</title>")
    expect(body).toContain("connect-src 'self'")
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-security-policy": "frame-ancestors 'none'",
      "cross-origin-resource-policy": "same-origin",
    })
  })

  test("gives the bytes that are asked for, and no others.", async () => {
    expect((await range(0, text.length)).body).toBe(text)
    expect((await range(3, 10)).body).toBe(text.slice(3, 10))
    expect((await range(text.length, text.length + 10)).body).toBe("")
    for (const query of [
      "",
      "?from=0",
      "?from=-1&to=2&identity=x",
      "?from=0&to=1e3&identity=x",
      "?from=a&to=b&identity=",
    ])
      expect((await ask(`/${TOKEN}/bytes${query}`)).status).toBe(400)
    expect((await ask(`/${TOKEN}/bytes?from=0&to=5&identity=another`)).status).toBe(409)
  })

  test("gives blobs by their hashes.", async () => {
    const hash = await blobs.put(bytesOf("a picture"))
    expect((await ask(`/${TOKEN}/blobs/${hash}`)).body).toBe("a picture")
    for (const name of ["0".repeat(64), "..%2f..%2fsecret", hash.toUpperCase(), `${hash}/..`])
      expect((await ask(`/${TOKEN}/blobs/${name}`)).status).toBe(404)
  })

  test.each([
    "/",
    "/bytes",
    "/favicon.ico",
    `/${TOKEN}`,
    `/${TOKEN.slice(0, -1)}/`,
    `/${TOKEN}x/`,
    `//${TOKEN}/`,
    `/${TOKEN}/nothing`,
    `/${TOKEN}/../${TOKEN}/nothing`,
  ])("has nothing at %s.", async (path) => {
    const { status, body } = await ask(path)
    expect({ status, body }).toEqual({ status: 404, body: '{"message":"There is nothing here."}' })
  })

  test.each([
    { host: "evil.test" },
    { host: "evil.test:80" },
    { host: "127.0.0.1" },
    { host: "127.0.0.1.evil.test" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("refuses who did not ask for this server: %j", async (headers) => {
    expect((await ask(`/${TOKEN}/`, headers as Record<string, string>)).status).toBe(403)
  })

  test.each(["POST", "PUT", "DELETE", "OPTIONS", "HEAD"])("knows no %s.", async (method) => {
    expect((await ask(`/${TOKEN}/`, {}, method)).status).toBe(405)
  })

  test("sends the state of what is stored now.", async () => {
    const state = async () => JSON.parse((await ask(`/${TOKEN}/state`)).body)
    const first = await state()
    expect(first).toMatchObject({ size: text.length })
    await session.append("\n")
    expect(await state()).toMatchObject({ size: text.length + 1, identity: first.identity })
    await session.replace(text)
    const replaced = await state()
    expect(replaced.size).toBe(text.length)
    expect(replaced.identity).not.toBe(first.identity)
  })

  test("answers nothing after its end.", async () => {
    await served.close()
    await expect(ask(`/${TOKEN}/`)).rejects.toThrow()
  })

  test("takes no port that is taken, and no token that could be guessed.", async () => {
    const { storage, key } = session
    const rest = { storage, key, blobs, title: "", fileName: "", page: PAGE }
    await expect(serveSession({ ...rest, token: TOKEN, port: port() })).rejects.toMatchObject({
      code: "InvalidArgumentError",
      data: { argument: "port", value: port() },
    })
    const none = undefined as unknown as string
    for (const token of [none, "", "short", "x".repeat(15), `${"x".repeat(20)}/`, `${"x".repeat(20)} `])
      await expect(serveSession({ ...rest, token, port: 0 })).rejects.toMatchObject({ code: "InvalidArgumentError" })
  })
})

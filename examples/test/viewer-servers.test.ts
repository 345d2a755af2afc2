import { mkdtempSync, rmSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import fetchServer, { sessions as teams } from "../viewer/fetch-server.js"
import { GET, sessions } from "../viewer/list/route.js"

async function store(manager: SessionManager, cwd: string, id: string): Promise<void> {
  const session = await manager.create(cwd, { id })
  session.appendMessage({ role: "user", content: "Why is the build red?", timestamp: 1 })
  await session.close()
}

const idsIn = (text: string): string[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).id)

describe("examples/viewer/node-server.ts", () => {
  const agentDir = mkdtempSync(join(tmpdir(), "treelog-viewer-"))
  let url = ""
  let close: () => void
  beforeAll(async () => {
    await store(new SessionManager({ storage: new FileSessionStorage({ agentDir }) }), "/home/me/shop", "red")
    Object.assign(process.env, { AGENT_DIR: agentDir, SECRET: "of-the-test", PORT: "0" })
    const { server } = await import("../viewer/node-server.js")
    for (const name of ["AGENT_DIR", "SECRET", "PORT"]) delete process.env[name]
    if (!server.listening) await new Promise((resolve) => server.once("listening", resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    close = () => {
      server.close()
      server.closeAllConnections()
    }
  })
  afterAll(() => {
    close()
    rmSync(agentDir, { recursive: true })
  })
  const get = (path: string, authorization = "Bearer of-the-test", method = "GET") =>
    fetch(url + path, { method, headers: { authorization } })

  test("lists and sends the sessions of a folder to those who know the secret", async () => {
    expect(idsIn(await (await get("/api/sessions")).text())).toEqual(["red"])
    expect((await get("/api/sessions", "Bearer guessed")).status).toBe(403)
    const { size, identity } = JSON.parse(await (await get("/api/sessions/red/state")).text())
    const range = new URLSearchParams({ from: "0", to: String(size), identity })
    expect(await (await get(`/api/sessions/red/bytes?${range}`)).text()).toContain("Why is the build red?")
    expect((await get("/other")).status).toBe(404)
    expect((await get("/api/sessions", undefined, "POST")).status).toBe(405)
    expect(await (await get("/api/sessions/red/state", undefined, "HEAD")).text()).toBe("")
  })
})

describe("examples/viewer/fetch-server.ts", () => {
  test("shows each team the sessions of its folder", async () => {
    await store(teams, "/srv/shop", "of-shop")
    await store(teams, "/srv/lab", "of-lab")
    const get = (path: string, token: string) =>
      fetchServer.fetch(new Request(`http://localhost${path}`, { headers: { authorization: `Bearer ${token}` } }))
    expect(idsIn(await (await get("/api/sessions", "token-of-lab")).text())).toEqual(["of-lab"])
    const { sessions: found } = JSON.parse(await (await get("/api/search?q=red", "token-of-shop")).text())
    expect(found).toMatchObject([{ session: { id: "of-shop" } }])
    expect((await get("/api/sessions/of-shop/state", "token-of-lab")).status).toBe(404)
    expect((await get("/api/sessions", "none")).status).toBe(403)
    expect((await get("/index.html", "token-of-lab")).status).toBe(404)
  })
})

test("examples/viewer/list/route.ts answers those who are signed in", async () => {
  await store(sessions, "/srv/shop", "one")
  const signedIn = new Request("http://localhost/api/sessions", { headers: { cookie: "user=ada" } })
  expect(idsIn(await (await GET(signedIn)).text())).toEqual(["one"])
  expect((await GET(new Request("http://localhost/api/sessions"))).status).toBe(403)
})

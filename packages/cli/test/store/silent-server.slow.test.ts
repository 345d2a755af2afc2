import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { sandbox } from "../sandbox.js"

// A server that accepts connections, and never answers.

const sockets = new Set<Socket>()
const server = createServer((socket) => {
  sockets.add(socket)
})
beforeAll(async () => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

const env = () => ({ TREELOG_STORE: `postgres://me:secret@127.0.0.1:${(server.address() as AddressInfo).port}/db` })

const PATIENCE = 10_000
/** What is to happen when the time of a connection is over: it is over when the test says so. */
let late: (() => void)[] = []
const { setTimeout: start } = globalThis

beforeEach(() => {
  late = []
  vi.stubGlobal("setTimeout", (work: () => void, ms?: number, ...rest: []) => {
    if (ms === PATIENCE) late.push(work)
    return start(ms === PATIENCE ? () => undefined : work, ms, ...rest)
  })
})
afterEach(() => void vi.unstubAllGlobals())

test("Ctrl-C does not wait for it", async () => {
  const stop = new AbortController()
  server.once("connection", () => stop.abort())
  expect((await sandbox().run(["list"], { env: env(), interrupted: stop.signal })).code).toBe(130)
})

test("completion offers nothing, before somebody gives up", async () => {
  const { code, stdout } = await sandbox().run(["completion", "fish", "--", "show", "s"], { env: env() })
  expect({ code, stdout }).toEqual({ code: 0, stdout: "words\n" })
})

test("a command reports it after ten seconds", async () => {
  server.once("connection", () => {
    for (const work of late) work()
  })
  const { code, stderr } = await sandbox().run(["list"], { env: env() })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^treelog: Cannot connect to postgres:\/\/me@127\.0\.0\.1:\d+\/db: it did not answer within 10 seconds\.\n$/,
  )
})

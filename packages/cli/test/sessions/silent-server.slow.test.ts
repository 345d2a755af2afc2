import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
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

test("Ctrl-C does not wait for it", async () => {
  const began = performance.now()
  const { code } = await sandbox().run(["list"], { env: env(), interrupted: AbortSignal.timeout(200) })
  expect(code).toBe(130)
  expect(performance.now() - began).toBeLessThan(8_000)
})

test("completion offers nothing, before somebody gives up", async () => {
  const began = performance.now()
  const { code, stdout } = await sandbox().run(["completion", "fish", "--", "show", "s"], { env: env() })
  expect({ code, stdout }).toEqual({ code: 0, stdout: "words\n" })
  expect(performance.now() - began).toBeLessThan(8_000)
})

test("a command reports it after ten seconds", async () => {
  const { code, stderr } = await sandbox().run(["list"], { env: env() })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^treelog: Cannot connect to postgres:\/\/me@127\.0\.0\.1:\d+\/db: it did not answer within 10 seconds\.\n$/,
  )
})

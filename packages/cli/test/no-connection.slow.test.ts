import { Socket } from "node:net"
import { blobRef } from "@treelog/session-core/adapter"
import { userEntry } from "@treelog-internal/test-kit"
import { afterEach, expect, test, vi } from "vitest"
import { runnableCommands } from "./command-table.js"
import { imageEntry } from "./images.js"
import { plainCommandLine } from "./plain-command-lines.js"
import { type Sandbox, sandbox } from "./sandbox.js"

// "treelog opens a network connection only when the address of a store or of blobs names a server."

afterEach(() => vi.restoreAllMocks())

/** Every attempt to connect, which fails. */
function attempts(): string[] {
  const seen: string[] = []
  const refuse = (what: string) => {
    seen.push(what)
    throw new Error("No connection in this test.")
  }
  vi.spyOn(Socket.prototype, "connect").mockImplementation(() => refuse("connect"))
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => refuse("fetch"))
  return seen
}

function given(): Sandbox {
  const box = sandbox()
  box.store([userEntry("one", null)], { id: "sample" })
  return box
}

test.each(runnableCommands())("`treelog %s` on files opens no connection", async (name) => {
  const seen = attempts()
  const ends = name === "watch" || name === "view" || name === "mcp"
  const { code } = await given().run(plainCommandLine(name), { ...(ends && { interrupted: AbortSignal.timeout(300) }) })
  expect(seen).toEqual([])
  if (ends) expect(code).toBe(130)
})

test("with an address, the command does connect: the test above can fail", async () => {
  const box = given()
  const seen = attempts()
  await box.run(["list"], { env: { TREELOG_STORE: "postgres://me:password@127.0.0.1:1/db" } })
  expect(seen).toEqual(["connect"])
  const env = { AWS_ENDPOINT_URL_S3: "http://127.0.0.1:1", AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" }
  const path = box.store([imageEntry("out", null, blobRef("0".repeat(64)))], { id: "images" })
  await box.run(["verify", path, "--blobs", "s3://bucket/prefix"], { env })
  expect(seen).toContain("fetch")
})

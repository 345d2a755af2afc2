import { createSessionFsAdapter, type SessionFsProvider } from "@github/copilot-sdk"
import { CopilotSessionFs } from "@treelog/agent-sdks/copilot"
import { describe, expect, expectTypeOf, test } from "vitest"
import { emptyStorage, removeFoldersAfterAll, STORAGES } from "../storages.js"

removeFoldersAfterAll()

test("the files have the type of the SDK's provider", () => {
  expectTypeOf<CopilotSessionFs>().toExtend<SessionFsProvider>()
})

describe.each(STORAGES)("the SDK's adapter on files %s", (kind) => {
  const sessionId = "s"

  test("does what the runtime asks for", async () => {
    const files = createSessionFsAdapter(new CopilotSessionFs({ storage: emptyStorage(kind), sessionId }))
    const path = "/state/events.jsonl"
    expect(await files.appendFile({ sessionId, path, content: '{"n":1}\n', mode: 0o600 })).toBeUndefined()
    expect(await files.appendFile({ sessionId, path, content: '{"n":2}\n' })).toBeUndefined()
    expect(await files.readFile({ sessionId, path })).toEqual({ content: '{"n":1}\n{"n":2}\n' })
    expect(await files.exists({ sessionId, path: "/state" })).toEqual({ exists: true })
    expect(await files.stat({ sessionId, path })).toMatchObject({ isFile: true, size: 16 })
    expect(await files.mkdir({ sessionId, path: "/state/checkpoints", recursive: true })).toBeUndefined()
    expect(await files.readdir({ sessionId, path: "/state" })).toEqual({ entries: ["checkpoints", "events.jsonl"] })
    expect(await files.rename({ sessionId, src: path, dest: "/old" })).toBeUndefined()
    expect(await files.rm({ sessionId, path: "/old" })).toBeUndefined()
    expect(await files.exists({ sessionId, path: "/old" })).toEqual({ exists: false })
  })

  test("reports a missing file as ENOENT, and a path that leaves the session as another error", async () => {
    const files = createSessionFsAdapter(new CopilotSessionFs({ storage: emptyStorage(kind), sessionId }))
    expect(await files.readFile({ sessionId, path: "/never" })).toMatchObject({
      content: "",
      error: { code: "ENOENT" },
    })
    expect(await files.stat({ sessionId, path: "/never" })).toMatchObject({ error: { code: "ENOENT" } })
    expect(await files.rm({ sessionId, path: "/never" })).toMatchObject({ code: "ENOENT" })
    expect(await files.writeFile({ sessionId, path: "/../x", content: "" })).toMatchObject({
      code: "UNKNOWN",
      message: expect.stringContaining("leaves the files of the session"),
    })
  })
})

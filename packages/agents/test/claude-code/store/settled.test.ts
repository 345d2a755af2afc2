import { appendFile, utimes, writeFile } from "node:fs/promises"
import { SessionManager } from "@treelog/session-core"
import { claudeFile } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { type ClaudeFolder, folderOfTest } from "./claude-folder.js"

const ID = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"
const OTHER = "0b8e4f4c-1c9e-4f7b-9d3c-2a5b6c7d8e9f"
const CWD = "/home/ada/shop"

async function textOf(storage: ClaudeFolder["storage"], key: string): Promise<string> {
  const session = await new SessionManager({ storage }).open(key, { access: "read" })
  const text = JSON.stringify(session.buildSessionContext().messages)
  await session.close()
  return text
}

const MINUTES_AGO = 10 * 60_000

describe("a session whose last reply nothing says to be whole", () => {
  it("shows it once its file has not changed for minutes, and goes on below it", async () => {
    const { storage, open, add, say } = await folderOfTest()
    const path = await add(ID, CWD, "hello")
    const [prompt = "", reply = ""] = claudeFile(ID, CWD, "go on").split("\n")
    await appendFile(path, `${prompt}\n${reply.replace('"stop_reason":"end_turn"', '"stop_reason":null')}\n`)
    expect(await textOf(storage, path)).not.toContain("Reply to go on")
    const before = await storage.statContent(path)
    const old = (Date.now() - MINUTES_AGO) / 1000
    await utimes(path, old, old)
    expect(await textOf(storage, path)).toContain("Reply to go on")
    expect(await storage.statContent(path)).toMatchObject({ identity: before?.identity })
    expect(await textOf(open(), path)).toContain("Reply to go on")
    await say(path, ID, CWD, "one more")
    expect(await textOf(storage, path)).toContain("Reply to one more")
    expect(await storage.statContent(path)).toMatchObject({ identity: before?.identity })
  })
})

describe("a session in the background", () => {
  it("has the session as its parent whose lines it repeats, and none where that is gone", async () => {
    const { storage, add, pathOf } = await folderOfTest()
    await add(OTHER, CWD, "something else")
    const text = claudeFile(ID, CWD, "hello")
    const copy = (id: string) => text.replaceAll(ID, id).replaceAll('"cwd"', '"sessionKind":"bg","cwd"')
    const [first, second] = ["a1111111-1111-4111-8111-111111111111", "b1111111-1111-4111-8111-111111111111"]
    await add(ID, CWD)
    await writeFile(pathOf(first, CWD), copy(first))
    const parentOf = async (id: string): Promise<unknown> => {
      const session = await new SessionManager({ storage }).open(pathOf(id, CWD), { access: "read" })
      const { parentSession } = session.getHeader()
      await session.close()
      return parentSession
    }
    expect(await parentOf(first)).toBeUndefined()
    await writeFile(pathOf(ID, CWD), text)
    await writeFile(pathOf(second, CWD), copy(second))
    expect([await parentOf(second), await parentOf(OTHER)]).toEqual([ID, undefined])
  })
})

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { MemoryBlobStore, type Session, SessionManager } from "@treelog/session-core"
import { createSync } from "@treelog/session-core/sync"
import { FileSessionStorage } from "@treelog/storage-fs"
import { userMessage } from "@treelog-internal/test-kit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

let agentDir = ""
beforeEach(() => {
  agentDir = mkdtempSync(join(tmpdir(), "treelog-save-as-"))
})
afterEach(() => rmSync(agentDir, { recursive: true, force: true }))

const manager = () => new SessionManager({ storage: new FileSessionStorage({ agentDir, terminalId: "test" }) })
const idsIn = (path: string): unknown[] =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).id)

describe.each([
  ["small", 10, 1],
  ["larger than what is parsed whole", 490_000, 9],
])("a session file that is moved or deleted while it is open (%s)", (_, length, count) => {
  async function given(access: "exclusive" | "shared"): Promise<{ session: Session; path: string; ids: string[] }> {
    const made = await manager().create("/project")
    const ids = [made.getSessionId()]
    while (ids.length <= count) ids.push(made.appendMessage(userMessage("x".repeat(length))))
    await made.close()
    const path = made.getSessionFile() as string
    const session = await manager().open(path, { access })
    return { session, path, ids }
  }

  describe.each(["exclusive", "shared"] as const)("%s", (access) => {
    it.each(["file", "folder"] as const)("can be saved elsewhere after its %s was moved", async (what) => {
      const { session, path, ids } = await given(access)
      if (what === "file") renameSync(path, `${path}.moved`)
      else renameSync(dirname(path), `${dirname(path)}-moved`)
      ids.push(session.appendMessage(userMessage("after")))
      await expect(session.flush()).rejects.toMatchObject({ code: "PersistError" })
      const elsewhere = join(agentDir, "sessions", "elsewhere", "saved.jsonl")
      await session.saveAs(elsewhere)
      ids.push(session.appendMessage(userMessage("on")))
      await session.close()
      expect(idsIn(elsewhere)).toEqual(ids)
      await (await manager().open(elsewhere)).close()
    })

    it("can be stored again where it was after it was deleted", async () => {
      const { session, path, ids } = await given(access)
      rmSync(dirname(path), { recursive: true })
      ids.push(session.appendMessage(userMessage("after")))
      await expect(session.flush()).rejects.toMatchObject({ code: "PersistError" })
      await session.retry({ recreate: true })
      expect(idsIn(path)).toEqual(ids)
      await session.close()
    })
  })
})

it("saving a session elsewhere copies its artifacts, and never replaces a file", async () => {
  const session = await manager().create("/project")
  session.appendMessage(userMessage("one"))
  await session.flush()
  const path = session.getSessionFile() as string
  mkdirSync(path.slice(0, -".jsonl".length))
  writeFileSync(join(path.slice(0, -".jsonl".length), "output.txt"), "artifact")
  const taken = join(agentDir, "taken.jsonl")
  writeFileSync(taken, "mine")
  await expect(session.saveAs(taken)).rejects.toMatchObject({ code: "SessionExistsError" })
  expect(readFileSync(taken, "utf8")).toBe("mine")
  await session.saveAs(join(agentDir, "saved.jsonl"))
  await session.close()
  expect(readFileSync(join(agentDir, "saved", "output.txt"), "utf8")).toBe("artifact")
  expect(existsSync(path)).toBe(true)
  expect(existsSync(`${path}.lock`)).toBe(false)
})

it("a file that is replaced while its session is being saved elsewhere is left, and all entries are stored there", async () => {
  const blobs = new MemoryBlobStore()
  const put = blobs.put.bind(blobs)
  const held: (() => void)[] = []
  blobs.put = async (bytes) => {
    await new Promise<void>((resolve) => held.push(resolve))
    return put(bytes)
  }
  const storage = new FileSessionStorage({ agentDir, terminalId: "test" })
  const sessions = new SessionManager({ storage, blobs })
  const session = createSync(sessions, "/project", { access: "shared", persist: "append" })
  session.appendMessage(userMessage("x".repeat(600_000)))
  const path = session.getSessionFile() as string
  const elsewhere = join(agentDir, "saved.jsonl")
  const saving = session.saveAs(elsewhere)
  await expect.poll(() => held).toHaveLength(1)
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
  expect(() => session.appendMessage(userMessage("two"))).toThrow("saveAs() is under way")
  held[0]?.()
  await saving
  await session.close()
  expect(idsIn(elsewhere)).toEqual([session.getSessionId(), ...session.getEntries().map(({ id }) => id)])
  expect(idsIn(elsewhere)).toHaveLength(3)
  expect(idsIn(path)).toHaveLength(2)
})

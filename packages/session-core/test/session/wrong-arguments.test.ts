import { type CreateOptions, MemorySessionStorage, SessionManager, type SessionStorage } from "@treelog/session-core"
import { compact } from "@treelog/session-core/compaction"
import {
  inflateSession,
  migrateSession,
  moveSession,
  repairSession,
  slimSession,
  verifySession,
} from "@treelog/session-core/maintenance"
import { openSync } from "@treelog/session-core/sync"
import { userMessage } from "@treelog-internal/test-kit"
import { expect, it } from "vitest"
import { CWD, givenManager, keyOf } from "./given-manager.js"

/** What JavaScript passes, where TypeScript would refuse it. */
const wrong = <Right>(value: unknown): Right => value as Right

const invalid = (argument: string) =>
  expect.objectContaining({ code: "InvalidArgumentError", data: expect.objectContaining({ argument }) })

it.each<[argument: string, options: unknown]>([
  ["access", { access: "readonly" }],
  ["access", { access: null }],
  ["busyTimeoutMs", { access: "shared", busyTimeoutMs: Number.NaN }],
  ["busyTimeoutMs", { access: "shared", busyTimeoutMs: -1 }],
  ["persist", { persist: "always" }],
])("no session is made or opened for writing with a wrong %s", async (argument, options) => {
  const { sessions } = givenManager()
  const session = await sessions.create(CWD, { persist: "create" })
  await session.close()
  const writing = wrong<CreateOptions>(options)
  await expect(sessions.open(keyOf(session), writing)).rejects.toEqual(invalid(argument))
  await expect(sessions.create(CWD, writing)).rejects.toEqual(invalid(argument))
  await expect(sessions.forkFrom(keyOf(session), CWD, writing)).rejects.toEqual(invalid(argument))
  await expect(sessions.continueRecent(CWD, writing)).rejects.toEqual(invalid(argument))
  expect(() => openSync(sessions, keyOf(session), writing)).toThrow(invalid(argument))
  // No lease is left.
  await (await sessions.open(keyOf(session))).close()
})

it.each([undefined, null, 42, { cwd: CWD }])("a folder is a text, and %s is none", async (cwd) => {
  const { sessions } = givenManager()
  const folder = wrong<string>(cwd)
  await expect(sessions.create(folder)).rejects.toEqual(invalid("cwd"))
  await expect(sessions.continueRecent(folder)).rejects.toEqual(invalid("cwd"))
  if (cwd !== undefined) await expect(sessions.list(folder).next()).rejects.toEqual(invalid("cwd"))
})

it("an id is a text", async () => {
  const { sessions } = givenManager()
  for (const id of [42, null, {}])
    await expect(sessions.create(CWD, wrong<CreateOptions>({ id }))).rejects.toEqual(invalid("id"))
})

it.each([undefined, {}, new MemorySessionStorage()])("a manager has a storage", (options) => {
  const made = () => new SessionManager(wrong<{ storage: SessionStorage }>(options ?? { storage: undefined }))
  expect(made).toThrow(invalid("storage"))
})

it("what is no session and no manager is refused by functions that take one", async () => {
  for (const value of [undefined, null, {}, "@last"]) {
    await expect(compact(wrong(value), async () => ({ text: "" }))).rejects.toEqual(invalid("session"))
    for (const change of [verifySession, repairSession, migrateSession, slimSession, inflateSession, moveSession])
      await expect(change(wrong(value), "@last", wrong({}))).rejects.toEqual(invalid("sessions"))
    await expect(givenManager().sessions.inMemory(CWD).saveAs(wrong({ value }))).rejects.toEqual(invalid("path"))
  }
})

it.each(["found", "newest", "streamed"] as const)(
  "a list in the order %s has no more than its limit",
  async (order) => {
    const { sessions } = givenManager()
    for (let count = 0; count < 3; count++) {
      const session = await sessions.create(CWD)
      session.appendMessage(userMessage("Hi"))
      await session.close()
    }
    const listed = async (limit: number): Promise<number> => {
      let count = 0
      for await (const _ of sessions.list(CWD, { order, limit })) count += 1
      return count
    }
    expect(await Promise.all([2, 1, 0, -1, Number.NaN].map(listed))).toEqual([2, 1, 0, 0, 0])
  },
)

it("an order that is none is refused", async () => {
  const { sessions } = givenManager()
  await expect(sessions.list(CWD, wrong({ order: "oldest" })).next()).rejects.toEqual(invalid("order"))
})

it("options of a strict program may be undefined, and are then what they are by default", async () => {
  const { sessions } = givenManager()
  const none = {
    access: undefined,
    persist: undefined,
    busyTimeoutMs: undefined,
    id: undefined,
    parentSession: undefined,
  }
  const session = await sessions.create(CWD, none)
  session.appendMessage(userMessage("Hi"))
  await session.close()
  await (await sessions.open(keyOf(session), { ...none, cwd: undefined })).close()
  const listed = sessions.listAll({ signal: undefined, limit: undefined, order: undefined, onProgress: undefined })
  expect((await listed.next()).value).toMatchObject({ path: keyOf(session) })
  expect(await verifySession(sessions, "@last", { cwd: undefined })).toMatchObject({ ok: true })
})

import type { MemorySessionStorage } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { LapsingStorage, userMessage } from "@treelog-internal/test-kit"
import { expect, it } from "vitest"
import { CWD, givenManager, idsOf, keyOf } from "./given-manager.js"
import { storedRecords } from "./stored-bytes.js"

const LEASE_MS = 60_000

function givenLapsing() {
  let now = Date.UTC(2026, 2, 7)
  const storage = new LapsingStorage({ clock: { now: () => now }, leaseMs: LEASE_MS })
  const lapse = () => {
    now += LEASE_MS
  }
  return { ...givenManager(storage), lapse, other: givenManager(storage, 1000).sessions }
}

async function begun({ sessions }: ReturnType<typeof givenLapsing>) {
  const session = await sessions.create(CWD)
  const first = session.appendMessage(userMessage("first"))
  await session.flush()
  return { session, key: keyOf(session), first }
}

const idsStored = async (storage: MemorySessionStorage, key: string) =>
  (await storedRecords(storage, key)).slice(1).map(({ id }) => id)

it("a session whose lease lapsed takes a new one at the next flush", async () => {
  const given = givenLapsing()
  const { session, key, first } = await begun(given)
  given.lapse()
  const second = session.appendMessage(userMessage("second"))
  await session.flush()
  expect(await idsStored(given.storage, key)).toEqual([first, second])
  await expect(given.other.open(key)).rejects.toMatchObject({ code: "SessionBusyError" })
  await session.close()
})

it("a session whose lease another took and released reads what it wrote, and goes on", async () => {
  const given = givenLapsing()
  const { session, key, first } = await begun(given)
  given.lapse()
  const theirs = await given.other.open(key)
  const foreign = theirs.appendMessage(userMessage("theirs"))
  await theirs.close()
  const second = session.appendMessage(userMessage("second"))
  await session.flush()
  expect(await idsStored(given.storage, key)).toEqual([first, foreign, second])
  expect(idsOf(session.getEntries())).toEqual([first, foreign, second])
  await session.close()
  expect((await verifySession(given.sessions, key)).diagnostics).toEqual([])
})

it("a session whose lease another holds is busy, and writes all of it once that is released", async () => {
  const given = givenLapsing()
  const { session, key, first } = await begun(given)
  given.lapse()
  const theirs = await given.other.open(key)
  const foreign = theirs.appendMessage(userMessage("theirs"))
  await theirs.flush()
  const second = session.appendMessage(userMessage("second"))
  await expect(session.flush()).rejects.toMatchObject({ code: "PersistError", cause: { code: "SessionBusyError" } })
  await expect(session.retry()).rejects.toMatchObject({ code: "PersistError", cause: { code: "SessionBusyError" } })
  expect(await idsStored(given.storage, key)).toEqual([first, foreign])
  await theirs.close()
  await session.retry()
  expect(await idsStored(given.storage, key)).toEqual([first, foreign, second])
  await session.close()
})

it("a session whose lease lapsed before the sync syncs under a new one", async () => {
  const given = givenLapsing()
  const { session, key, first } = await begun(given)
  const second = session.appendMessage(userMessage("second"))
  // So that the batch is written, and not synced yet.
  while ((await idsStored(given.storage, key)).length < 2) await Promise.resolve()
  given.lapse()
  await session.flush()
  expect(await idsStored(given.storage, key)).toEqual([first, second])
  await session.close()
})

it("a compaction of a session whose lease another took is made of what is stored then", async () => {
  const given = givenLapsing()
  const { session, key } = await begun(given)
  const kept = session.appendMessage(userMessage("second"))
  await session.flush()
  given.lapse()
  const theirs = await given.other.open(key)
  theirs.appendMessage(userMessage("theirs"))
  await theirs.close()
  session.appendCompaction("summary", kept, 100)
  await session.flush()
  const types = (await storedRecords(given.storage, key)).map(({ type }) => type)
  expect(types).toEqual(["session", "message", "message", "message", "compaction"])
  await session.close()
  expect((await verifySession(given.sessions, key)).diagnostics).toEqual([])
})

it("closing a session whose lease another took leaves that lease alone", async () => {
  const given = givenLapsing()
  const { session, key } = await begun(given)
  given.lapse()
  const theirs = await given.other.open(key)
  await session.close()
  await expect(given.sessions.open(key)).rejects.toMatchObject({ code: "SessionBusyError" })
  await theirs.close()
})

import type { SessionStorage, StorageStat } from "../../ports/session-storage.js"
import { equal, failsWith, ok } from "../assert.js"
import { type Fixture, type StoredSample, type Tests, where } from "./fixture.js"
import { watching } from "./watch-tests.js"

const UNKNOWN_ID = "01890a5d-ac96-774b-bcce-ffffffffffff"

/** For storages whose sessions another program writes; `others` of the setup takes its place. */
export const readOnlyTests: Tests = where("readOnly", {
  "refuses every lease and every new key, and says what to do instead": async (fixture) => {
    const { storage, place } = fixture
    const { key } = sampleOf(fixture)
    for (const toRemove of [false, true]) {
      const taking = storage.lease(key, { access: "exclusive", waitMs: 0, toRemove })
      const { data, message } = await failsWith("ReadOnlyStorageError", taking, "a lease")
      equal(data.key, key, "the key of the error")
      ok(data.instead !== "" && message.includes(data.instead), "the message says what to do instead")
    }
    const naming = Promise.resolve().then(() => storage.keyFor(place()))
    await failsWith("ReadOnlyStorageError", naming, "a new key")
    ok((await fixture.stored(key)) !== undefined, "the session is still there")
  },

  "reads the ranges that were asked for": async (fixture) => {
    const { storage } = fixture
    for (const { key } of fixture.others().sessions) {
      const { size, identity } = await statOf(storage, key)
      const whole = await storage.readRange(key, 0, size + 1)
      equal(whole.length, size, `the length of ${key}`)
      ok(whole[0] === "{".charCodeAt(0) && whole.at(-1) === "\n".charCodeAt(0), `${key} is lines of JSON`)
      equal(await storage.readRange(key, 1, 4, identity), whole.slice(1, 5), "bytes from the middle")
      equal(await storage.readRange(key, size - 3, 100), whole.slice(size - 3), "a range over the end")
      equal(await storage.readRange(key, size + 10, 5), whole.slice(size), "a range behind the end")
    }
  },

  "opens ranges, which read the same, also after they were closed": async (fixture) => {
    const { storage } = fixture
    if (!storage.openRanges) return
    const { key } = sampleOf(fixture)
    const { identity, size } = await statOf(storage, key)
    const whole = await storage.readRange(key, 0, size)
    const ranges = await storage.openRanges(key, identity)
    equal(new Uint8Array(ranges.read(3, 5)), whole.slice(3, 8), "bytes from the middle")
    equal(new Uint8Array(ranges.read(size - 2, 9)), whole.slice(-2), "a range over the end")
    ranges.close()
    equal(new Uint8Array(ranges.read(1, 2)), whole.slice(1, 3), "a range after the close")
    ranges.close()
  },

  "lists every session once, and those of a folder": async (fixture) => {
    const { sessions } = fixture.others()
    equal(await fixture.listed(), sessions.map(({ key }) => key).sort(), "all")
    for (const { key, cwd } of sessions) ok((await fixture.listed(cwd)).includes(key), `${key} is listed for ${cwd}`)
  },

  "finds a session by its id, and nothing by another": async (fixture) => {
    for (const { key, id } of fixture.others().sessions)
      equal(await fixture.found(id), [key], `what is found for ${id}`)
    equal(await fixture.found(UNKNOWN_ID), [], "what is found for an unknown id")
  },

  "names its keys, and has nothing under others": async (fixture) => {
    const { storage } = fixture
    const { key } = sampleOf(fixture)
    equal(storage.keyFromRef(key), key, "the key that a key refers to")
    equal(typeof storage.folderOf(key), "string", "the type of a folder")
    const missing = key.replace(/([^/]*)$/, "missing-$1")
    equal(await storage.stat(missing), undefined, "the stat of a key without a session")
    await failsWith("SessionNotFoundError", storage.readRange(missing, 0, 1), "reading a key without a session")
  },

  "summarizes the sessions that it lists": async (fixture) => {
    const { summaries } = fixture.storage
    if (!summaries) return
    const found: string[] = []
    for await (const batch of summaries.scan()) for (const { key } of batch) found.push(key)
    equal(found.sort(), await fixture.listed(), "the scanned sessions")
    await summaries.flush()
    const { key } = sampleOf(fixture)
    equal((await summaries.find(key))?.key, key, "the session that is found by its key")
  },

  "keeps the identity, and every byte, while a session only grows": async (fixture) => {
    const { storage } = fixture
    const { key } = sampleOf(fixture)
    const before = await statOf(storage, key)
    const bytes = await storage.readRange(key, 0, before.size)
    const ranges = await storage.openRanges?.(key, before.identity)
    await fixture.others().grow(key)
    const after = await statOf(storage, key)
    equal(after.identity, before.identity, "the identity")
    ok(after.size > before.size, "the session has grown")
    equal(await storage.readRange(key, 0, before.size, before.identity), bytes, "the former bytes")
    equal(
      new Uint8Array(ranges?.read(0, 10) ?? bytes.slice(0, 10)),
      bytes.slice(0, 10),
      "ranges that were opened before",
    )
    ranges?.close()
  },

  "gives a rewritten session another identity, and its bytes to nobody who wants the former": async (fixture) => {
    const { storage } = fixture
    const { key } = sampleOf(fixture)
    const before = await statOf(storage, key)
    await fixture.others().rewrite(key)
    const after = await statOf(storage, key)
    ok(after.identity !== before.identity, "the identity is another one")
    await failsWith("SessionChangedError", storage.readRange(key, 0, 1, before.identity), "reading the former session")
    equal((await storage.readRange(key, 0, 1, after.identity)).length, 1, "a byte of the new one")
  },

  "has a removed session no more": async (fixture) => {
    const { key } = sampleOf(fixture)
    await statOf(fixture.storage, key)
    await fixture.others().remove(key)
    await fixture.holdsNothing(key)
  },

  "shows the same through a second storage": async (fixture) => {
    const second = await fixture.reopen()
    for (const { key } of fixture.others().sessions) {
      equal(await second.stat(key), await fixture.storage.stat(key), `the stat of ${key}`)
      equal(await fixture.stored(key, second), await fixture.stored(key), `the bytes of ${key}`)
    }
  },

  "reports a session that grows": async (fixture) => {
    if (!fixture.storage.watch) return
    const { key } = sampleOf(fixture)
    await watching(fixture.storage, key, ({ reports }) => reports("growth", () => fixture.others().grow(key)))
  },

  "writes nothing where the sessions are": async (fixture) => {
    const { storage } = fixture
    const { state, sessions } = fixture.others()
    const before = await state()
    await fixture.listed()
    for (const { key, cwd, id } of sessions) {
      await fixture.listed(cwd)
      await fixture.found(id)
      await fixture.stored(key)
    }
    if (storage.summaries) for await (const _ of storage.summaries.scan());
    await storage.summaries?.flush()
    equal(await state(), before, "what is stored, by name, size and time")
  },
})

function sampleOf(fixture: Fixture): StoredSample {
  const [first] = fixture.others().sessions
  ok(first !== undefined, "setup() gives sessions")
  return first
}

async function statOf(storage: SessionStorage, key: string): Promise<StorageStat> {
  const stat = await storage.stat(key)
  ok(stat !== undefined, `${key} is stored`)
  return stat
}

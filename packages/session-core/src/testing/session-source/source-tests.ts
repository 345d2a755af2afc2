import type { SessionSource, StorageStat } from "../../ports/session-source.js"
import { statToRead } from "../../session/reader/read-stored.js"
import { equal, failsWith, ok } from "../assert.js"
import { watching } from "../session-storage/watch-tests.js"
import { type SourceFixture, type SourceTests, type StoredSample, where } from "./fixture.js"

const UNKNOWN_ID = "01890a5d-ac96-774b-bcce-ffffffffffff"

/** Tests that only read: `others` has the sessions, and changes them. */
export const sourceTests: SourceTests = {
  "reads the ranges that were asked for": async (fixture) => {
    const { source } = fixture
    for (const { key } of (await fixture.others()).sessions) {
      ok((await source.stat(key)) !== undefined, `${key} is there`)
      const { size, identity } = await statOf(source, key)
      const whole = await source.readRange(key, 0, size + 1)
      equal(whole.length, size, `the length of ${key}`)
      ok(whole[0] === "{".charCodeAt(0) && whole.at(-1) === "\n".charCodeAt(0), `${key} is lines of JSON`)
      equal(await source.readRange(key, 1, 4, identity), whole.slice(1, 5), "bytes from the middle")
      equal(await source.readRange(key, 0, 4), whole.slice(0, 4), "the first bytes")
      equal(await source.readRange(key, size - 1, 1), whole.slice(size - 1), "the last byte")
      equal(await source.readRange(key, 5, 0), whole.slice(size), "no bytes")
      equal(await source.readRange(key, size - 3, 100), whole.slice(size - 3), "a range over the end")
      equal(await source.readRange(key, size, 5), whole.slice(size), "a range at the end")
      equal(await source.readRange(key, size + 1000, 5), whole.slice(size), "a range behind the end")
    }
  },

  "lists every session once, and those of a folder": async (fixture) => {
    const { sessions } = await fixture.others()
    equal(await fixture.listed(), sessions.map(({ key }) => key).sort(), "all")
    for (const { key, cwd } of sessions) ok((await fixture.listed(cwd)).includes(key), `${key} is listed for ${cwd}`)
  },

  "lists the sessions of every folder with each filter of which it says so": async (fixture) => {
    const { sessions } = await fixture.others()
    const keys = sessions.map(({ key }) => key).sort()
    const elsewhere = "/home/nobody/elsewhere"
    for (const project of [undefined, "a project"])
      if (fixture.source.listsAll?.({ cwd: elsewhere, project }))
        equal(await fixture.listed(elsewhere, project), keys, `for a folder without sessions, and ${project}`)
  },

  "finds a session by its id, and nothing by another": async (fixture) => {
    for (const { key, id } of (await fixture.others()).sessions)
      equal(await fixture.found(id), [key], `what is found for ${id}`)
    equal(await fixture.found(UNKNOWN_ID), [], "what is found for an unknown id")
  },

  "names its keys, and has nothing under others": async (fixture) => {
    const { source } = fixture
    const { key } = await sampleOf(fixture)
    equal(source.keyFromRef(key), key, "the key that a key refers to")
    equal(typeof source.folderOf(key), "string", "the type of a folder")
    const missing = key.replace(/([^/]*)$/, "missing-$1")
    equal(await source.stat(missing), undefined, "the stat of a key without a session")
    equal(await source.statContent?.(missing), undefined, "the stat of the bytes of a key without a session")
    await failsWith("SessionNotFoundError", source.readRange(missing, 0, 1), "reading a key without a session")
  },

  "has at the end of a session what all of it has": async (fixture) => {
    const { source } = fixture
    for (const { key } of (await fixture.others()).sessions) {
      const end = (await source.end?.(key, { withParts: true })) ?? []
      const whole = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
        (await fixture.stored(key)) ?? new Uint8Array(),
      )
      for (const { id } of end) ok(whole.includes(JSON.stringify(id)), `${key} has the entry ${id}`)
    }
  },

  "keeps the identity, and every byte, while a session only grows": async (fixture) => {
    const { source } = fixture
    const { key } = await sampleOf(fixture)
    const before = await statOf(source, key)
    const bytes = await source.readRange(key, 0, before.size)
    const ranges = await source.openRanges?.(key, before.identity)
    await (await fixture.others()).grow(key)
    const after = await statOf(source, key)
    equal(after.identity, before.identity, "the identity")
    ok(after.size > before.size, "the session has grown")
    equal(await source.readRange(key, 0, before.size, before.identity), bytes, "the former bytes")
    const last = await source.readRange(key, after.size - 2, 2, before.identity)
    equal(last, (await source.readRange(key, 0, after.size)).slice(-2), "the last bytes of the grown session")
    equal(
      new Uint8Array(ranges?.read(0, 10) ?? bytes.slice(0, 10)),
      bytes.slice(0, 10),
      "ranges that were opened before",
    )
    ranges?.close()
  },

  "gives a rewritten session another identity, and its bytes to nobody who wants the former": async (fixture) => {
    const { source } = fixture
    const { key } = await sampleOf(fixture)
    const before = await statOf(source, key)
    await (await fixture.others()).rewrite(key)
    const after = await statOf(source, key)
    ok(after.identity !== before.identity, "the identity is another one")
    const reading = source.readRange(key, 0, 1, before.identity)
    const error = await failsWith("SessionChangedError", reading, "reading the former session")
    equal(error.data, { key, change: "replaced" }, "the data of the error")
    equal((await source.readRange(key, 0, 1, after.identity)).length, 1, "a byte of the new one")
  },

  "has a removed session no more": async (fixture) => {
    const { key } = await sampleOf(fixture)
    await statOf(fixture.source, key)
    await (await fixture.others()).remove(key)
    await fixture.holdsNothing(key)
  },

  "writes nothing where the sessions are": async (fixture) => {
    const { source } = fixture
    const { state, sessions } = await fixture.others()
    const before = await state()
    await fixture.listed()
    for (const { key, cwd, id } of sessions) {
      await fixture.listed(cwd)
      await fixture.found(id)
      await fixture.stored(key)
    }
    if (source.summaries) for await (const _ of source.summaries.scan());
    await source.summaries?.flush()
    equal(await state(), before, "what is stored, by name, size and time")
  },

  ...where("openRanges", {
    "opens ranges, which read the same, also after they were closed": async (fixture) => {
      const { source } = fixture
      const { key } = await sampleOf(fixture)
      const { identity, size } = await statOf(source, key)
      const whole = await source.readRange(key, 0, size)
      const ranges = await source.openRanges?.(key, identity)
      ok(ranges !== undefined, "it has `openRanges`, as the example has")
      equal(new Uint8Array(ranges.read(3, 5)), whole.slice(3, 8), "bytes from the middle")
      equal(new Uint8Array(ranges.read(size - 2, 9)), whole.slice(-2), "a range over the end")
      equal(new Uint8Array(ranges.read(size + 1000, 5)), whole.slice(size), "a range behind the end")
      ranges.close()
      equal(new Uint8Array(ranges.read(1, 2)), whole.slice(1, 3), "a range after the close")
      ranges.close()
    },
  }),

  ...where("summaries", {
    "summarizes the sessions that it lists": async (fixture) => {
      const { summaries } = fixture.source
      ok(summaries !== undefined, "it has `summaries`, as the example has")
      const found: string[] = []
      for await (const batch of summaries.scan()) for (const { key } of batch) found.push(key)
      equal(found.sort(), await fixture.listed(), "the scanned sessions")
      await summaries.flush()
      const { key } = await sampleOf(fixture)
      equal((await summaries.find(key))?.key, key, "the session that is found by its key")
    },
  }),

  ...where("watch", {
    "reports a session that grows": async (fixture) => {
      const { key } = await sampleOf(fixture)
      const { grow } = await fixture.others()
      await watching(fixture.source, key, ({ reports }) => reports("growth", () => grow(key)))
    },
  }),

  ...where("reopen", {
    "shows the same through a second source over the same data": async (fixture) => {
      const second = await fixture.reopen()
      for (const { key } of (await fixture.others()).sessions) {
        equal(await second.stat(key), await fixture.source.stat(key), `the stat of ${key}`)
        equal(await statToRead(second, key), await statToRead(fixture.source, key), `the stat of the bytes of ${key}`)
        equal(await fixture.stored(key, second), await fixture.stored(key), `the bytes of ${key}`)
      }
    },
  }),
}

async function sampleOf(fixture: SourceFixture): Promise<StoredSample> {
  const [first] = (await fixture.others()).sessions
  ok(first !== undefined, "setup() gives sessions")
  return first
}

async function statOf(source: SessionSource, key: string): Promise<StorageStat> {
  const stat = await statToRead(source, key)
  ok(stat !== undefined, `${key} is stored`)
  return stat
}

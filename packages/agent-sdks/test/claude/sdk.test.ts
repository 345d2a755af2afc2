import {
  deleteSession,
  foldSessionSummary,
  forkSession,
  getSessionMessages,
  InMemorySessionStore,
  listSessions,
  renameSession,
  type SessionStore,
} from "@anthropic-ai/claude-agent-sdk"
import { ClaudeSessionStore, type FoldSessionSummary } from "@treelog/agent-sdks/claude"
import { describe, expect, expectTypeOf, test } from "vitest"
import { emptyStorage, removeFoldersAfterAll, STORAGES } from "../storages.js"

removeFoldersAfterAll()

const DIR = "/home/me/project"
const KEY = { projectKey: "-home-me-project", sessionId: "11111111-1111-4111-8111-111111111111" }

const common = { sessionId: KEY.sessionId, cwd: DIR, version: "2.0.0", isSidechain: false, userType: "external" }
const ENTRIES = [
  {
    ...common,
    type: "user",
    uuid: "22222222-2222-4222-8222-222222222222",
    parentUuid: null,
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { role: "user", content: "Why?" },
  },
  {
    ...common,
    type: "assistant",
    uuid: "33333333-3333-4333-8333-333333333333",
    parentUuid: "22222222-2222-4222-8222-222222222222",
    timestamp: "2026-01-01T00:00:01.000Z",
    message: { id: "m1", role: "assistant", type: "message", content: [{ type: "text", text: "Because." }] },
  },
]

test("the store has the type of the SDK's, and takes its foldSessionSummary", () => {
  expectTypeOf<ClaudeSessionStore>().toExtend<SessionStore>()
  expectTypeOf<typeof foldSessionSummary>().toExtend<FoldSessionSummary>()
})

test("without foldSessionSummary there are no summaries, so that the SDK reads the transcripts", () => {
  expect(new ClaudeSessionStore({ storage: emptyStorage("in memory") }).listSessionSummaries).toBeUndefined()
})

describe.each(STORAGES)("functions of the SDK on a store %s", (kind) => {
  test.each([
    ["without summaries", undefined],
    ["with summaries", foldSessionSummary],
  ])("list, read, rename, fork and delete as with the SDK's own store, %s", async (_, fold) => {
    const ours = new ClaudeSessionStore({ storage: emptyStorage(kind), foldSessionSummary: fold })
    const results = []
    for (const sessionStore of [ours, new InMemorySessionStore()] satisfies SessionStore[]) {
      await sessionStore.append(KEY, ENTRIES)
      await renameSession(KEY.sessionId, "A name", { dir: DIR, sessionStore })
      const listed = await listSessions({ dir: DIR, sessionStore })
      const messages = await getSessionMessages(KEY.sessionId, { dir: DIR, sessionStore })
      const { sessionId } = await forkSession(KEY.sessionId, { dir: DIR, sessionStore })
      const forked = await getSessionMessages(sessionId, { dir: DIR, sessionStore })
      await deleteSession(KEY.sessionId, { dir: DIR, sessionStore })
      const left = await listSessions({ dir: DIR, sessionStore })
      results.push({
        listed: listed.map(({ lastModified: _, fileSize: __, ...info }) => info),
        messages,
        forked: forked.map(({ message }) => message),
        left: left.map((info) => info.sessionId === sessionId),
      })
    }
    const [mine, theirs] = results
    expect(mine).toEqual(theirs)
    expect(mine?.listed).toMatchObject([{ sessionId: KEY.sessionId, customTitle: "A name", firstPrompt: "Why?" }])
    expect(mine?.messages).toHaveLength(2)
    expect(mine?.left).toEqual([true])
  })
})

describe.each(STORAGES)("summaries %s", (kind) => {
  const folded = (mtime: number) => foldSessionSummary(undefined, KEY, ENTRIES, { mtime })

  test("are what folding all entries makes, with the time of the list, however many writers append", async () => {
    const storage = emptyStorage(kind)
    const stores = [1, 2, 3].map(() => new ClaudeSessionStore({ storage, foldSessionSummary }))
    await stores[0]?.append(KEY, ENTRIES)
    const title = (index: number) => ({ type: "custom-title", customTitle: `title ${index}`, sessionId: KEY.sessionId })
    await Promise.all(stores.map((store, index) => store.append(KEY, [title(index)])))
    const [store] = stores
    const [session] = (await store?.listSessions(KEY.projectKey)) ?? []
    const [summary] = (await store?.listSessionSummaries?.(KEY.projectKey)) ?? []
    const entries = (await store?.load(KEY)) ?? []
    expect(entries).toHaveLength(5)
    expect(summary).toEqual(foldSessionSummary(undefined, KEY, entries, { mtime: session?.mtime ?? 0 }))
  })

  test("are made up for when a writer without them appended", async () => {
    const storage = emptyStorage(kind)
    const [first, ...rest] = ENTRIES
    if (first) await new ClaudeSessionStore({ storage }).append(KEY, [first])
    const store = new ClaudeSessionStore({ storage, foldSessionSummary })
    await store.append(KEY, rest)
    const [summary] = (await store.listSessionSummaries?.(KEY.projectKey)) ?? []
    expect(summary).toEqual(folded(summary?.mtime ?? 0))
  })

  test("go with their session, and begin again with a new one", async () => {
    const store = new ClaudeSessionStore({ storage: emptyStorage(kind), foldSessionSummary })
    await store.append(KEY, [...ENTRIES, { type: "custom-title", customTitle: "old", sessionId: KEY.sessionId }])
    await store.delete(KEY)
    expect(await store.listSessionSummaries?.(KEY.projectKey)).toEqual([])
    await store.append(KEY, ENTRIES)
    const [summary] = (await store.listSessionSummaries?.(KEY.projectKey)) ?? []
    expect(summary).toEqual(folded(summary?.mtime ?? 0))
  })

  test("have none for subagents", async () => {
    const store = new ClaudeSessionStore({ storage: emptyStorage(kind), foldSessionSummary })
    await store.append({ ...KEY, subpath: "subagents/a" }, ENTRIES)
    expect(await store.listSessionSummaries?.(KEY.projectKey)).toEqual([])
  })
})

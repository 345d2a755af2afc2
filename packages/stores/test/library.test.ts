import { rmSync } from "node:fs"
import { SessionManager, TreelogError } from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { FileSessionStorage } from "@treelog/storage-fs"
import { Library, type Source } from "@treelog/stores"
import { expect, test } from "vitest"
import { temporaryBox } from "./box.js"

interface Written {
  readonly id?: string
  /** The id in the name of the file. Default: that of the session. */
  readonly named?: string
  readonly cwd?: string
  /** The agent that the header names. */
  readonly agent?: string
  readonly name?: string
  /** What was said, each with its day of January. */
  readonly said: readonly (readonly [id: string, text: string, day: number])[]
}

const day = (day: number): number => Date.UTC(2026, 0, day)

/** Sources of files, in this order. */
function sources(...names: readonly string[]) {
  const box = temporaryBox()
  const all = names.map((name): Source => {
    const storage = new FileSessionStorage({ agentDir: `${box.folder}/${name}`, env: {}, cacheDir: null })
    return {
      ...{ name, address: name, madeBy: name, storage },
      projectOf: (cwd) => cwd,
      manager: async () => new SessionManager({ storage, anyFile: true }),
    }
  })
  const write = (source: string, { id = "s1", named = id, cwd = "/shop", agent, name, said }: Written): string => {
    const header = { type: "session", version: 3, id, timestamp: "2026-01-01T00:00:00.000Z", cwd }
    const entries = said.map(([id, text, at], nth) => {
      const message = { role: "user", content: text, timestamp: day(at) }
      const parentId = said[nth - 1]?.[0] ?? null
      return { type: "message", id, parentId, timestamp: new Date(day(at)).toISOString(), message }
    })
    const info = { type: "session_info", id: `${id}-name`, parentId: said.at(-1)?.[0] ?? null, name }
    const named_ = name === undefined ? [] : [{ ...info, timestamp: new Date(day(1)).toISOString() }]
    const lines = [{ ...header, ...(agent && { source: { agent } }) }, ...entries, ...named_]
    return box.write(
      `${source}/sessions/--shop--/2026-01-01T00-00-00-000Z_${named}.jsonl`,
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    )
  }
  return { library: libraryOf(all), write, all, box }
}

function libraryOf(sources: readonly Source[], onError?: (source: Source) => void): Library {
  const index = new MemorySessionIndex(
    sources.map(({ address, storage, madeBy }) => ({ name: address, storage, agent: madeBy })),
  )
  return new Library(sources, { index: async () => index, onError })
}

async function listed(library: Library, ...asked: Parameters<Library["list"]>): Promise<string[]> {
  const rows: string[] = []
  for await (const { source, id, firstMessage, copies } of library.list(...asked)) {
    const others = copies.map((copy) => copy.source.name).join(", ")
    rows.push(`${source.name} ${id} ${firstMessage}${others && ` (${others})`}`)
  }
  return rows
}

test("lists conversations, the newest first: each once, at the copy with the newest message, and names the others", async () => {
  const { library, write } = sources("a", "b")
  write("a", { said: [["1", "hello", 3]] })
  write("b", {
    said: [
      ["1", "hello", 3],
      ["2", "more", 5],
    ],
  })
  write("a", { id: "s2", said: [["3", "second", 4]] })
  expect(await listed(library)).toEqual(["b s1 hello (a)", "a s2 second"])
  expect(await listed(library, {}, { order: "streamed" })).toEqual(["b s1 hello (a)", "a s2 second"])
  expect(await listed(library, { scope: "/shop" })).toEqual(["b s1 hello (a)", "a s2 second"])
  expect(await listed(library, { scope: "/blog" })).toEqual([])
})

test("of copies of one time, the original is the face: that in the store of the agent that made it", async () => {
  const { library, write } = sources("treelog", "claude-code")
  write("treelog", { agent: "claude-code", said: [["1", "hello", 3]] })
  write("claude-code", { said: [["1", "hello", 3]] })
  const face = ["claude-code s1 hello (treelog)"]
  expect(await listed(library)).toEqual(face)
  expect((await library.resolve("s1")).source.name).toBe("claude-code")
  expect((await library.resolve("@last")).source.name).toBe("claude-code")
  await library.update()
  const { sessions } = await library.search({ terms: [{ text: "hello" }] })
  expect(sessions.map(({ source }) => source.name)).toEqual(["claude-code"])
})

test("a transcript that Cursor writes of a chat stands for it only where the chat is gone, also if it is newer", async () => {
  const { library, write } = sources("cursor-agent", "cursor")
  write("cursor-agent", { said: [["1", "hello", 4]] })
  write("cursor-agent", { id: "s2", said: [["1", "alone", 4]] })
  write("cursor", { said: [["1", "hello", 3]], name: "Greetings" })
  expect(await listed(library)).toEqual(["cursor s1 hello (cursor-agent)", "cursor-agent s2 alone"])
  expect((await library.resolve("s1")).source.name).toBe("cursor")
})

test("sessions of two agents whose ids are one time are two conversations, and the id is ambiguous", async () => {
  const { library, write } = sources("roo", "cline-vscode", "pi")
  const id = "1795165200000"
  for (const source of ["roo", "cline-vscode"]) write(source, { id, said: [["1", `in ${source}`, 3]] })
  expect(await listed(library)).toEqual([`cline-vscode ${id} in cline-vscode`, `roo ${id} in roo`])
  await expect(library.resolve(id)).rejects.toMatchObject({ code: "AmbiguousSessionError" })
  write("pi", { id, agent: "roo", said: [["1", "in roo", 3]] })
  expect(await listed(library)).toEqual([`cline-vscode ${id} in cline-vscode`, `roo ${id} in roo (pi)`])
})

test("a limit counts conversations, and says that it left some out", async () => {
  const { library, write } = sources("a", "b")
  for (const source of ["a", "b"]) {
    write(source, { said: [["1", "one", 5]] })
    write(source, { named: "copied", said: [["1", "one", 5]] })
    write(source, { id: "s2", said: [["2", "two", 4]] })
    write(source, { id: "s3", said: [["3", "three", 3]] })
  }
  let more = 0
  const onMore = () => void more++
  const first = async (limit: number) => (await listed(library, {}, { limit, onMore })).map((row) => row.slice(2, 4))
  expect([await first(2), more]).toEqual([["s1", "s2"], 1])
  expect([await first(3), more]).toEqual([["s1", "s2", "s3"], 1])
})

test("time and agent filter before the limit", async () => {
  const { library, write } = sources("a", "b")
  write("a", { said: [["1", "one", 5]] })
  write("a", { id: "s2", agent: "b", said: [["2", "two", 4]] })
  write("b", { id: "s3", said: [["3", "three", 3]] })
  expect(await listed(library, { agent: "b" }, { limit: 2 })).toEqual(["a s2 two", "b s3 three"])
  expect(await listed(library, { until: day(5) }, { limit: 1 })).toEqual(["a s2 two"])
  expect(await listed(library, { since: day(5) }, { limit: 1 })).toEqual(["a s1 one"])
})

test("a reference is the id that a list prints, where the file has another name, and the id in its name", async () => {
  const { library, write } = sources("a", "b")
  const path = write("b", { id: "11111111-aaaa", named: "22222222-bbbb", said: [["1", "one", 5]] })
  for (const ref of ["11111111-aaaa", "11111111", "22222222-bbbb", "22222222"])
    expect((await library.resolve(ref)).path).toBe(path)
  await expect(library.resolve("33333333")).rejects.toThrow(/33333333/)
  await expect(library.resolve(" ")).rejects.toMatchObject({ code: "SessionNotFoundError" })
})

test("a name means the session of the folder, where several have it", async () => {
  const { library, write } = sources("a", "b")
  const path = write("a", { name: "Checkout", said: [["1", "one", 5]] })
  write("b", { id: "s2", cwd: "/blog", name: "Checkout", said: [["2", "two", 6]] })
  await expect(library.resolve("Checkout")).rejects.toMatchObject({ code: "AmbiguousSessionError" })
  expect((await library.resolve("Checkout", "/shop")).path).toBe(path)
})

test("whatever was found can be opened: in the copy that has it", async () => {
  const { library, write } = sources("a", "b")
  write("a", {
    said: [
      ["1", "hello", 3],
      ["2", "here", 4],
    ],
  })
  write("b", {
    said: [
      ["1", "hello", 3],
      ["3", "there", 5],
    ],
  })
  await library.update()
  const { sessions } = await library.search({
    terms: [
      { text: "h", isPrefix: true },
      { text: "xyz", isExcluded: true },
    ],
  })
  const found = sessions.flatMap(({ source, hits }) => hits.map(({ entryId }) => `${source.name} ${entryId}`))
  expect(found.sort()).toEqual(["a 2", "b 1"])
  for (const entry of ["1", "2", "3"]) {
    const session = await library.openEntry({ session: "s1", entry })
    expect(session.getEntry(entry)).toBeDefined()
    await session.close()
  }
  await expect(library.openEntry({ session: "s1", scope: "/blog" })).rejects.toMatchObject({
    code: "SessionNotFoundError",
  })
})

test("one source that cannot be read ends no answer over all, and is reported", async () => {
  const { write, all, box } = sources("a", "b")
  write("a", { said: [["1", "one", 5]] })
  box.write("b/sessions", "a file in the place of the folder")
  const failed: string[] = []
  const library = libraryOf(all, ({ name }) => failed.push(name))
  expect((await listed(library)).filter((row) => row.startsWith("a"))).toEqual(["a s1 one"])
  expect((await library.resolve("s1")).source.name).toBe("a")
  expect(await library.update()).toMatchObject({ read: 1, failed: [{ code: "StorageError" }] })
})

test("a source whose sessions cannot be listed is reported by an update, and the others are read", async () => {
  const { write, all } = sources("a", "b")
  write("a", { said: [["1", "one", 5]] })
  const fail = (): never => {
    throw new TreelogError("StorageError", "Gone.", { key: "/b", operation: "list", errno: "EIO" })
  }
  const [a, b] = all as [Source, Source]
  const broken = { ...b, storage: Object.create(b.storage, { list: { value: fail }, summaries: { value: undefined } }) }
  const failed: string[] = []
  const library = libraryOf([a, broken], ({ name }) => failed.push(name))
  expect(await library.update()).toMatchObject({ read: 1, total: 1 })
  expect(failed).toEqual(["b"])
  await expect(libraryOf([broken]).update()).rejects.toThrow("Gone.")
})

/** What a search finds: the source, the session and the entry of each hit. */
async function found(library: Library, text: string, query: Parameters<Library["search"]>[0] = {}): Promise<string[]> {
  const { sessions } = await library.search({ ...query, terms: [{ text }] })
  return sessions.flatMap(({ source, session, hits }) =>
    hits.map(({ entryId }) => `${source.name} ${session.id} ${entryId}`),
  )
}

test("an entry that copies of a conversation have is found once, in the face, whichever of them are asked", async () => {
  const { library, write, all } = sources("a", "b")
  const hello = ["1", "hello", 3] as const
  write("a", { said: [hello, ["2", "hello again", 4]] })
  write("b", { said: [hello, ["3", "hello there", 5]] })
  await library.update()
  expect((await found(library, "hello")).sort()).toEqual(["a s1 2", "b s1 1", "b s1 3"])
  expect(await found(library.only(all.slice(0, 1)), "hello")).toEqual(["a s1 2", "a s1 1"])
  expect(await found(library, "hello", { limit: 1 })).toEqual(["b s1 3"])
  expect((await found(library, "hello", { distinct: "session" })).sort()).toEqual(["a s1 2", "b s1 3"])
})

test("entries of one id in two copies of a session that say something else are found both", async () => {
  const { library, write } = sources("a", "b")
  write("a", { said: [["1", "hello one", 3]] })
  write("b", { said: [["1", "hello two", 3]] })
  await library.update()
  expect((await found(library, "hello")).sort()).toEqual(["a s1 1", "b s1 1"])
})

test("hits of several sources are the newest of all, or the most relevant of all", async () => {
  const { library, write } = sources("a", "b")
  write("a", {
    said: [
      ["1", "a lamp and much else that nobody looks for in a long sentence", 3],
      ["2", "lamp", 1],
    ],
  })
  write("b", { id: "s2", said: [["3", "lamp lamp lamp", 2]] })
  await library.update()
  expect(await found(library, "lamp", { limit: 2 })).toEqual(["a s1 1", "b s2 3"])
  expect(await found(library, "lamp", { sort: "relevance", limit: 1 })).toEqual(["b s2 3"])
})

test("a watch yields what is there, and then what is new, changed, moved to a copy, or gone; until it is ended", async () => {
  const { library, write } = sources("pi", "omp")
  const first = write("pi", { id: "s1", said: [["a", "one", 2]] })
  const ended = new AbortController()
  const changes = library.watch({}, { signal: ended.signal, interval: 1 })
  const next = async (): Promise<string> => {
    const { value } = await changes.next()
    return value ? `${value.change} ${value.session.source.name} ${value.session.id}` : "ended"
  }
  expect(await next()).toBe("listed pi s1")
  write("pi", { id: "s2", said: [["b", "two", 3]] })
  expect(await next()).toBe("listed pi s2")
  const copy = write("omp", {
    id: "s1",
    said: [
      ["a", "one", 2],
      ["c", "three", 4],
    ],
  })
  expect(await next()).toBe("listed omp s1")
  rmSync(copy)
  expect(await next()).toBe("listed pi s1")
  rmSync(first)
  expect(await next()).toBe("gone pi s1")
  const waiting = next()
  ended.abort()
  expect(await waiting).toBe("ended")
})

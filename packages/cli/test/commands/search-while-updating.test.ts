import type {
  IndexUpdateOptions,
  IndexUpdateReport,
  SearchHit,
  SearchResult,
  SessionHits,
  SessionIndex,
} from "@treelog/session-core/search"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { CommandLibrary } from "../door.js"
import { CommandContext, searchWhileUpdating } from "../door.js"

type IndexProgress = Parameters<NonNullable<IndexUpdateOptions["onProgress"]>>[0]

function hit(entryId: string, time: number): SearchHit {
  const snippet = { text: entryId, matches: [], isCutBefore: false, isCutAfter: false }
  return { entryId, role: "user", time, content: 0, snippet }
}

const SESSION = { key: "/s", id: "s", cwd: "/", name: "", created: 0 }

/** An index whose update ends when the test says so, and that finds what it is given. */
class SlowIndex implements Partial<SessionIndex> {
  found: SearchHit[] = []
  isStopped = false
  readonly #ended: Promise<void>
  end: () => void = () => {}
  #progress: (progress: IndexProgress) => void = () => {}

  constructor() {
    this.#ended = new Promise((resolve) => {
      this.end = resolve
    })
  }

  async update({
    signal,
    onProgress = () => {},
  }: Parameters<SessionIndex["update"]>[0] = {}): Promise<IndexUpdateReport> {
    this.#progress = onProgress
    const stopped = new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()))
    await Promise.race([this.#ended, stopped])
    this.isStopped = signal?.aborted === true
    signal?.throwIfAborted()
    return { done: 1, total: 1, bytes: 1, upToDateAfter: 0, read: 1, removed: 0, failed: [], foreign: [] }
  }

  async search({ limit = 50 }: { limit?: number }): Promise<SearchResult> {
    const hits = this.found.slice(0, limit)
    return { sessions: hits.length === 0 ? [] : [{ session: SESSION, hits }], isMore: this.found.length > limit }
  }

  /** What can be found now, and what is certain. */
  reach(upToDateAfter: number, found: SearchHit[]): void {
    this.found = found
    this.#progress({ done: 1, total: 2, bytes: 1, upToDateAfter })
  }
}

function contextFor(interrupted: AbortSignal, isTTY: boolean): CommandContext {
  const output = { isTTY, columns: 80, rows: 24, write: async () => {} }
  const io = {
    stdout: output,
    stderr: output,
    readStdin: async () => "",
    stdinBytes: async function* () {},
    env: {},
    cwd: "/",
    now: Date.now,
    terminal: () => undefined,
    startPager: () => Promise.reject(new Error("There is no pager in this test.")),
    interrupted,
  }
  return new CommandContext(io, {})
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Until it searches once more. */
const later = () => vi.advanceTimersByTimeAsync(500)

interface Running {
  readonly index: SlowIndex
  readonly shown: string[]
  readonly result: ReturnType<typeof searchWhileUpdating>
}

function search(
  query: { limit: number; sort?: "relevance" },
  interrupted = new AbortController().signal,
  isTTY = false,
): Running {
  const index = new SlowIndex()
  const shown: string[] = []
  const show = async (found: readonly SessionHits[]): Promise<void> => {
    shown.push(...found.flatMap(({ hits }) => hits.map(({ entryId }) => entryId)))
  }
  const shape = { sort: "newest" as const, ...query }
  const searched = { update: index.update.bind(index), search: (asked: typeof shape) => index.search(asked) }
  const result = searchWhileUpdating(contextFor(interrupted, isTTY), searched as unknown as CommandLibrary, shape, show)
  return { index, shown, result }
}

test("shows hits whose order is certain before the index is up to date, and each once", async () => {
  const { index, shown, result } = search({ limit: 10 })
  index.reach(50, [hit("new", 90), hit("sure", 60), hit("unsure", 40)])
  await later()
  expect(shown).toEqual(["new", "sure"])
  index.found = [hit("new", 90), hit("sure", 60), hit("between", 45), hit("unsure", 40)]
  index.end()
  expect(await result).toMatchObject({ count: 4, isMore: false, isInOrder: true, report: { done: 1 } })
  expect(shown).toEqual(["new", "sure", "between", "unsure"])
})

test("stops the update once enough was found", async () => {
  const { index, shown, result } = search({ limit: 2 })
  index.reach(10, [hit("a", 90), hit("b", 80), hit("c", 70)])
  await later()
  expect(await result).toEqual({ count: 2, isMore: true, report: undefined, isInOrder: false })
  expect(shown).toEqual(["a", "b"])
  expect(index.isStopped).toBe(true)
})

test("reports that a newer hit was found behind older ones, as where the time of its file is older than its text", async () => {
  const { index, shown, result } = search({ limit: 2 })
  index.reach(50, [hit("b", 80)])
  await later()
  index.found = [hit("a", 90), hit("b", 80)]
  index.end()
  expect(await result).toMatchObject({ count: 2, isInOrder: false })
  expect(shown).toEqual(["b", "a"])
})

test("by relevance, everything is read before", async () => {
  const { index, shown, result } = search({ limit: 2, sort: "relevance" })
  index.reach(10, [hit("a", 90)])
  await later()
  expect(shown).toEqual([])
  index.end()
  expect(await result).toMatchObject({ count: 1 })
})

test("an interrupt stops the update, and what was shown stays", async () => {
  const interrupt = new AbortController()
  const { index, shown, result } = search({ limit: 10 }, interrupt.signal)
  index.reach(50, [hit("new", 90)])
  await later()
  interrupt.abort()
  await expect(result).rejects.toThrow(/abort/i)
  expect(index.isStopped).toBe(true)
  expect(shown).toEqual(["new"])
})

test("a person sees hits at once, though newer ones may follow, and those that do", async () => {
  const { index, shown, result } = search({ limit: 2 }, new AbortController().signal, true)
  index.reach(Number.MAX_SAFE_INTEGER, [hit("b", 80), hit("c", 70)])
  await later()
  expect(shown).toEqual(["b", "c"])
  index.found = [hit("a", 90), hit("b", 80), hit("c", 70)]
  index.end()
  expect(await result).toMatchObject({ count: 3, isMore: true })
  expect(shown).toEqual(["b", "c", "a"])
})

import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { Library, type Source } from "@treelog/stores"
import { Random } from "@treelog-internal/test-kit/generator"

const DAY = 86_400_000

const PROJECTS = ["shop", "lab", "docs", "infra/cluster", "handbook", "mobile"].map((name) => `/home/ada/${name}`)
const MODELS = [
  ["anthropic", "claude-sonnet-4-5", 3],
  ["openai", "gpt-5.2", 2],
  ["anthropic", "claude-haiku-4-5", 0.6],
] as const
const TASKS = [
  "Add a discount code field to the checkout",
  "The retry test is flaky: find out why",
  "Translate the change log",
  "Which endpoints have no rate limit?",
  "Why is the build red since yesterday?",
  "Measure how long the import of 50,000 rows takes",
  "Rename the column and write the migration",
  "Show the sensor readings of the last week as a chart",
  "Review the pull request about caching",
  "Update the dependencies, one commit each",
]
const ANSWERS = [
  "Done: the tests pass. The cause was a timer that nobody stopped.",
  "I changed three files. `npm test` is green; the diff is small.",
  "Two of them have no limit: `/export` and `/login`. I added one to each.",
  "It takes 4.2 s, most of it in the parser. An index on the key would halve it.",
]

export interface SampleOptions {
  /** Sessions of all stores together. */
  readonly count?: number
  /** When the newest one was made. Milliseconds since 1970. */
  readonly now?: number
  readonly names?: readonly string[]
}

export interface SampleStore {
  readonly name: string
  readonly sessions: SessionManager
  /** Of its sessions alone, for the test. */
  readonly index?: MemorySessionIndex
}

/** The sessions of stores, as a server of a page gets them: with an index where each of them has one. */
export function libraryOfStores(stores: readonly SampleStore[]): Library {
  const index = new MemorySessionIndex(
    stores.map(({ name, sessions }) => ({ name, storage: sessions.storage, agent: name })),
  )
  return new Library(
    stores.map(
      ({ name, sessions }): Source => ({
        name,
        address: name,
        madeBy: name,
        storage: sessions.storage,
        projectOf: (cwd) => cwd,
        manager: async () => sessions,
      }),
    ),
    stores.every((store) => store.index) ? { index: async () => index } : {},
  )
}

/** Stores with sessions of some projects, made in half a year: the same for the same options. */
export async function sampleStores({
  count = 60,
  now = Date.now(),
  names = ["treelog", "pi", "claude-code"],
}: SampleOptions = {}): Promise<Required<SampleStore>[]> {
  const random = new Random(20_261_123)
  const stores = names.map((name) => {
    let time = now
    const storage = new MemorySessionStorage({ clock: { now: () => time } })
    const sessions = new SessionManager({ storage, clock: { now: () => time } })
    const setTime = (value: number): void => {
      time = value
    }
    return { name, sessions, setTime, index: new MemorySessionIndex(storage, { agent: name }) }
  })
  let at = now - 25 * 60_000
  for (let number = 0; number < count; number++) {
    const store = stores[random.below(stores.length)]
    if (!store) continue
    const [provider, model, price] = random.pick(MODELS)
    const task = random.pick(TASKS)
    store.setTime(at)
    const id = `5e40${(number * 7_919).toString(16).padStart(4, "0")}-0000-7000-8000-${String(number).padStart(12, "0")}`
    const session = await store.sessions.create(random.pick(PROJECTS), { id })
    if (random.below(3) === 0) session.appendSessionInfo(task.split(":")[0] ?? task)
    const turns = 1 + random.below(4)
    for (let turn = 0; turn < turns; turn++) {
      store.setTime(at + turn * 90_000)
      const asked = turn === 0 ? task : "And now without the new dependency, please."
      const kept = session.appendMessage({ role: "user", content: asked, timestamp: at + turn * 90_000 })
      if (turn === 3) session.appendCompaction(`## Done\n${task}`, kept, 48_200)
      const [input, output, cacheRead] = [800 + random.below(4_000), 200 + random.below(2_500), random.below(90_000)]
      const part = (tokens: number, each: number): number => (tokens * each * price) / 1e6
      const cost = { input: part(input, 1), output: part(output, 5), cacheRead: part(cacheRead, 0.1), cacheWrite: 0 }
      const total = cost.input + cost.output + cost.cacheRead
      session.appendMessage({
        role: "assistant",
        content: [{ type: "text", text: random.pick(ANSWERS) }],
        provider,
        model,
        stopReason: random.below(12) === 0 ? "error" : "stop",
        usage: {
          input,
          output,
          cacheRead,
          cacheWrite: 0,
          totalTokens: input + output + cacheRead,
          cost: { ...cost, total },
        },
        timestamp: at + turn * 90_000 + 40_000,
      })
    }
    await session.close()
    at -= Math.ceil((random.below(100) / 100) * ((2 * 180 * DAY) / count))
  }
  return stores
}

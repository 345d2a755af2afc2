import type {
  ImportedPrompt,
  Prompt,
  PromptHistory,
  PromptHistoryOptions,
  PromptIgnoreRules,
  PromptListOptions,
  PromptOrigin,
} from "../../ports/prompt-history.js"
import { equal, ok } from "../assert.js"
import { type TestsOf, testsWhere } from "../suite.js"

/** A prompt history to test. */
export interface PromptHistoryCandidate {
  /** The name of the suite in the results. */
  readonly name: string
  /** Whether flushed prompts outlive the object. If not, tests of that are skipped, with the reason. */
  readonly durable: boolean
  /** Makes a new, empty history with these options. Called at least once for each test. */
  setup(options: PromptHistoryOptions): Promise<PromptHistorySetup>
}

/** A new history for one test, and operations that the port does not have. */
export interface PromptHistorySetup {
  readonly history: PromptHistory
  /** Opens a second, independent history over the same data. Required if `durable`. */
  reopen?(): Promise<PromptHistory>
  /** Called after each test. The suite has closed the histories, or tried to. */
  teardown(): Promise<void>
}

/** The input of a test: a new history, with shortcuts to fill and check it. */
type Fixture = Awaited<ReturnType<typeof openFixture>>

export type Tests = TestsOf<Fixture, "durable">

export const where = testsWhere<Fixture, "durable">

export async function openFixture(candidate: PromptHistoryCandidate) {
  const closers: (() => Promise<void>)[] = []
  const open = async (ignore?: PromptIgnoreRules) => {
    const { close, ...opened } = await openHistory(candidate, ignore)
    closers.push(close)
    return opened
  }
  /** Closes all histories, and tears down. */
  const close = async () => {
    for (const closer of closers) await closer()
  }
  return { ...(await open()), withRules: open, close }
}

/** The history detects no secrets, unless the rules say so. */
async function openHistory(candidate: PromptHistoryCandidate, ignore: PromptIgnoreRules = {}) {
  let now = Date.UTC(2026, 2, 7, 14)
  /** Advances by a minute at each call. */
  const clock = { now: () => (now += 60_000) }
  /** The errors that `onError` was called with. */
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const setup = await candidate.setup({ clock, ignore: { secrets: false, ...ignore }, onError })
  const { history } = setup
  const opened = [history]

  /** Adds prompts, a minute apart. */
  function add(texts: readonly string[], origin?: PromptOrigin): void {
    for (const text of texts) history.add(text, origin)
  }

  /** Asserts which texts `recent` returns, newest first. */
  async function holds(texts: readonly string[], options?: PromptListOptions, of = history): Promise<void> {
    equal(textsOf(await of.recent(options)), texts, `the prompts of ${JSON.stringify(options ?? "all")}`)
  }

  /** Asserts which texts a search returns, newest first. */
  async function finds(query: string, texts: readonly string[], options?: PromptListOptions): Promise<void> {
    equal(
      textsOf(await history.search(query, options)),
      texts,
      `what ${JSON.stringify([query.slice(0, 80), options])} finds`,
    )
  }

  /** Asserts how many prompts are stored, repeated ones included. */
  async function stores(count: number): Promise<void> {
    equal((await history.stats()).stored, count, "how many are stored")
  }

  /** The id of a prompt with this text. */
  async function idOf(text: string): Promise<number> {
    const prompt = (await history.recent()).find((recent) => recent.text === text)
    ok(prompt !== undefined, `the history holds ${JSON.stringify(text)}`)
    return prompt.id
  }

  async function reopen(): Promise<PromptHistory> {
    ok(setup.reopen !== undefined, "setup() gives `reopen` where the history is durable")
    const other = await setup.reopen()
    opened.push(other)
    return other
  }

  /** Closes all histories, and tears down. Histories that the test has closed may fail. */
  async function close(): Promise<void> {
    await Promise.allSettled(opened.map((each) => each.close()))
    await setup.teardown()
  }

  return { history, clock, errors, add, holds, finds, stores, idOf, reopen, close }
}

/** What was stored of a prompt, without its id. */
export function contentOf(prompt: Prompt | undefined): Partial<ImportedPrompt> {
  const { text, createdAt, cwd, sessionId } = prompt ?? {}
  return { text, createdAt, cwd, sessionId } as Partial<ImportedPrompt>
}

function textsOf(prompts: readonly ImportedPrompt[]): string[] {
  return prompts.map(({ text }) => text)
}

/** A prompt of the past: `minute` minutes after the start of a day long before the clock's time. */
export function past(text: string, minute: number, origin: PromptOrigin = {}): ImportedPrompt {
  return { text, createdAt: Date.UTC(2025, 0, 1) + minute * 60_000, ...origin }
}

/** `prompt 0`, `prompt 1` and so on. */
export function numbered(count: number, word = "prompt"): string[] {
  return Array.from({ length: count }, (_, number) => `${word} ${number}`)
}

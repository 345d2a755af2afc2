import { appendFile, mkdir, readFile, rename, rm, truncate, utimes, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { CodexSource, CodexStorage } from "@treelog/agents/codex"
import type { Checkpoint, SourceSession } from "@treelog-internal/agent-files"
import { tries } from "@treelog-internal/test-kit"
import { generateCodexHome, type WrittenRollout } from "@treelog-internal/test-kit/codex"
import fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"
import { TestHome } from "../home.js"
import { A, B, C, counts, event, item, type Line, meta, said, text } from "../rollout-lines.js"
import { sessionsOf } from "../sessions-of.js"

/** What was converted of a session so far, as a cache keeps it. */
interface Kept {
  readonly lines: readonly string[]
  readonly checkpoint: Checkpoint | undefined
  /** Of its files, when the checkpoint was made. Bytes */
  readonly size: number
}

/** Converts what follows a checkpoint. @returns all lines of the session, and whether some were kept */
async function convert(source: CodexSource, session: SourceSession, kept?: Kept): Promise<Kept & { goesOn: boolean }> {
  const conversion = await source.convert(session, kept?.checkpoint)
  const goesOn = conversion.goesOn === true
  const lines = goesOn ? (kept?.lines.slice(0, 1 + (kept.checkpoint?.entries ?? 0)) ?? []) : []
  if (goesOn) expect(JSON.stringify(conversion.header)).toBe(lines[0])
  else lines.push(JSON.stringify(conversion.header))
  let entries = conversion.checkpoint?.entries
  for (const entry of conversion.entries) {
    lines.push(JSON.stringify(entry))
    const now = conversion.checkpoint?.entries
    // As the interface says it, so that a host knows where the entries end that stand before it.
    if (now !== entries && now !== undefined) expect([lines.length - 1, lines.length - 2]).toContain(now)
    entries = now
  }
  const { checkpoint } = conversion
  const saved = checkpoint && { entries: checkpoint.entries, state: checkpoint.state() }
  return {
    lines,
    checkpoint: saved ? JSON.parse(JSON.stringify(saved)) : goesOn ? kept?.checkpoint : undefined,
    size: saved ? session.size : (kept?.size ?? 0),
    goesOn,
  }
}

/** What lines that are rare in generated rollouts say, about what may stand before them. */
const RARE: readonly Line[] = [
  event("thread_rolled_back", { num_turns: 1 }),
  event("thread_rolled_back", { num_turns: 3 }),
  ["compacted", { message: "What was said" }],
  ["compacted", { message: "What was said", replacement_history: [] }],
  ["token_usage_record", { response_id: "r1", usage: { input_tokens: 7, output_tokens: 1, total_tokens: 8 } }],
  counts({ input_tokens: 90_000, output_tokens: 1, total_tokens: 90_001 }, { input_tokens: 5, output_tokens: 1 }),
  event("thread_settings_applied", { thread_settings: { service_tier: "priority" } }),
  event("item_completed", { thread_id: "review-1", item: { type: "UserMessage", content: [{ text: "Review it" }] } }),
  item({ type: "function_call", call_id: "c1", name: "spawn_agent", arguments: '{"message":"Look"}' }),
  event("item_completed", { item: { type: "CollabAgentToolCall", id: "c1", receiver_thread_ids: ["t1"] } }),
  item({ type: "function_call_output", call_id: "c1", output: '{"agent_id":"t1"}' }),
  ["turn_context", { model: "gpt-5", effort: "high", cwd: "/home/ada/shop" }],
  ["turn_context", { cwd: "/home/ada/shop" }],
  said("developer", "<permissions instructions>all"),
  said("user", "Hello"),
  said("user", "Hello", "# AGENTS.md instructions for it</INSTRUCTIONS>"),
  said("assistant", "Hi"),
  item({ type: "reasoning", summary: [{ type: "summary_text", text: "Thinking" }] }),
  event("turn_aborted", { reason: "interrupted" }),
  event("error", { message: "Later" }),
  ["inter_agent_communication", { content: "Look" }],
  meta("01a20000-dddd-7ddd-8ddd-dddddddddddd", { base_instructions: { text: "Be brief" } }),
]
const line = (at: number): string => text([RARE[at % RARE.length] as Line], Date.UTC(2026, 2, 8))

/** One change of the files. */
type Change = readonly [kind: (typeof KINDS)[number], number]
const KINDS = ["more", "line", "torn", "glued", "line", "more", "cut", "rewrite", "archive", "restore", "new"] as const
const CHANGES = fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.nat(100_000)), { minLength: 2, maxLength: 12 })

class Growing {
  readonly #home: TestHome
  readonly #rollouts: readonly WrittenRollout[]
  /** The paths of the rollouts that are written so far, and what of their text is. */
  readonly #files: { path: string; rest: Buffer }[] = []

  constructor(home: TestHome, rollouts: readonly WrittenRollout[]) {
    this.#home = home
    this.#rollouts = rollouts
  }

  async add(length: number): Promise<void> {
    const rollout = this.#rollouts[this.#files.length]
    if (!rollout) return
    const bytes = Buffer.from(rollout.text)
    const size = Math.min(bytes.length, rollout.text.indexOf("\n") + 1 + length)
    this.#files.push({
      path: await this.#home.write(rollout.name, bytes.subarray(0, size)),
      rest: bytes.subarray(size),
    })
  }

  async change([kind, number]: Change): Promise<void> {
    // The newest one, most of the time.
    const file = this.#files[this.#files.length - 1 - (number % 4 === 0 ? number % this.#files.length : 0)]
    if (!file) return
    const { path, rest } = file
    const length = number % 3000
    if (kind === "more") {
      file.rest = rest.subarray(length)
      await appendFile(path, rest.subarray(0, length))
    } else if (kind === "line") await appendFile(path, line(number))
    else if (kind === "torn") await appendFile(path, line(number).slice(0, number % 40))
    else if (kind === "glued") await appendFile(path, line(number).trimEnd())
    else if (kind === "cut") await truncate(path, Math.max(0, (await readFile(path)).length - length))
    else if (kind === "rewrite") {
      await writeFile(path, (await readFile(path, "utf8")).replaceAll("cart", "card"))
      // The times of files have steps of milliseconds.
      await utimes(path, number, number)
    } else if (kind === "new") await this.add(number % 5000)
    else {
      const folder = kind === "archive" ? "archived_sessions" : "sessions/2026/03/07"
      file.path = join(this.#home.dir, folder, basename(path))
      await mkdir(dirname(file.path), { recursive: true })
      await rename(path, file.path)
    }
  }
}

const NAME = `sessions/2026/03/07/rollout-2026-03-07T14-00-00-${A}.jsonl`
const TALK = [meta(A), said("user", "Hello"), said("assistant", "Hi")]

/** The thread taken back to what was said first. */
const REVERT = {
  name: NAME.replace("14-00-00", "15-00-00").replace(".jsonl", `_${B}.jsonl`),
  text: text([
    meta(A, { history_base: { thread_id: A, end_byte_offset: text(TALK.slice(0, 2)).length } }),
    said("user", "Other"),
  ]),
}

/** Whether a conversion goes on after a change; what it gives is what the whole gives. */
async function goesOnAfter(
  lines: readonly Line[],
  change: (home: TestHome, path: string) => Promise<unknown>,
  others: Parameters<typeof TestHome.make>[0] = [],
  thread = A,
) {
  const home = await TestHome.make([{ name: NAME, text: text(lines) }, ...others])
  onTestFinished(() => home.remove())
  const source = new CodexSource({ dir: home.dir })
  const sessionNow = async () => (await sessionsOf(source)).find(({ id }) => id === thread) as SourceSession
  const kept = await convert(source, await sessionNow())
  await change(home, join(home.dir, NAME))
  const session = await sessionNow()
  const now = await convert(source, session, kept)
  expect(now.lines).toEqual((await convert(source, session)).lines)
  return now.goesOn
}

describe("a thread that has grown", () => {
  it("goes on behind its last whole line", async () => {
    expect(await goesOnAfter(TALK, (home) => home.append(NAME, line(0)))).toBe(true)
    expect(await goesOnAfter(TALK, (home) => home.append(NAME, line(0).slice(0, 30)))).toBe(true)
  })

  it("goes on where what precedes a turn comes again after a rollback of the turn", async () => {
    const [more, rollback] = [said("user", "More"), event("thread_rolled_back", { num_turns: 1 })]
    const context = said("developer", "<permissions instructions>all")
    const talk = [meta(A, { cli_version: "0.169.0" }), ...TALK.slice(1), context]
    expect(await goesOnAfter(talk, (home) => home.append(NAME, text([more, rollback, context])))).toBe(true)
  })

  it("goes on where a review or a response is repeated", async () => {
    const [usage, review] = [RARE[4] as Line, RARE[7] as Line]
    expect(await goesOnAfter([...TALK, usage, review], (home) => home.append(NAME, text([usage, review])))).toBe(true)
  })

  it("is converted from its beginning where the file was replaced, rewritten or moved", async () => {
    const long = [...TALK, ...Array<Line>(200).fill(said("user", "One cart more"))]
    const rewritten = text(long).slice(0, 20_000) + text(long).slice(20_000).replace("cart", "card")
    const later = async (path: string) => utimes(path, 1, 1)
    expect(await goesOnAfter(long, (_, path) => writeFile(path, rewritten).then(() => later(path)))).toBe(false)
    expect(await goesOnAfter(TALK, (home) => home.write(NAME, text(TALK).replace("Hi", "Ho") + line(0)))).toBe(false)
    const replace = async (home: TestHome, path: string) => {
      await home.write(`${NAME}.new`, text(TALK) + line(0))
      await rename(`${path}.new`, path)
    }
    expect(await goesOnAfter(TALK, replace)).toBe(false)
    const archive = async (home: TestHome, path: string) => {
      await home.write(`archived_sessions/${basename(NAME)}`, text(TALK) + line(0))
      await rm(path)
    }
    expect(await goesOnAfter(TALK, archive)).toBe(false)
  })

  it("is converted from its beginning where it has another name, or another file", async () => {
    const title = `${JSON.stringify({ id: A, thread_name: "Cart", updated_at: "2026-03-07T15:00:00Z" })}\n`
    expect(await goesOnAfter(TALK, (home) => home.write("session_index.jsonl", title))).toBe(false)
    expect(await goesOnAfter(TALK, (home) => home.write(REVERT.name, REVERT.text))).toBe(false)
  })

  it("goes on in its newest file, unless one before it has changed", async () => {
    const grow = (home: TestHome) => home.append(REVERT.name, line(0))
    expect(await goesOnAfter(TALK, grow, [REVERT])).toBe(true)
    const change = async (home: TestHome) => {
      await home.write(NAME, text(TALK).replace("Hello", "Hullo"))
      await grow(home)
    }
    expect(await goesOnAfter(TALK, change, [REVERT])).toBe(false)
  })

  it("goes on in a newest file without a whole line, behind what the file before left open", async () => {
    const begun = { ...REVERT, text: REVERT.text.slice(0, REVERT.text.indexOf("\n")) }
    const change = (home: TestHome) => home.append(REVERT.name, `\n${line(0)}`)
    expect(await goesOnAfter([...TALK, RARE[4] as Line], change, [begun])).toBe(true)
  })

  it("goes on where it began with the lines of another thread, once it has some of its own", async () => {
    const copy = (...lines: readonly Line[]) => ({
      name: NAME.replace("14-00-00", "15-00-00").replace(A, C),
      text: text([meta(C, { forked_from_id: A }), ...TALK, ...lines]),
    })
    const more = copy(said("user", "More"))
    expect(await goesOnAfter(TALK, (home) => home.append(more.name, line(0)), [more], C)).toBe(true)
    expect(await goesOnAfter(TALK, (home) => home.append(more.name, line(0)), [copy()], C)).toBe(false)
  })

  it("is converted where what its conversion has to know is nested deeply", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`
    const search = text([item({ type: "web_search_call", id: "w1", action: 0 })]).replace(":0", `:${deep}`)
    const home = await TestHome.make([{ name: NAME, text: text(TALK) + search }])
    onTestFinished(() => home.remove())
    const storage = new CodexStorage({ dir: home.dir, cacheDir: join(home.dir, "cache"), env: {} })
    const before = await storage.statContent(join(home.dir, NAME))
    await home.append(NAME, line(0))
    expect((await storage.statContent(join(home.dir, NAME)))?.identity).toBe(before?.identity)
  })

  it("is, from where its conversion can go on, what it is from the beginning", async () => {
    let grown = 0
    const homes = fc.record({ seed: fc.nat(2 ** 31), rollouts: fc.integer({ min: 1, max: 5 }) })
    const property = fc.asyncProperty(homes, fc.nat(20_000), CHANGES, async (shape, length, changes) => {
      const home = await TestHome.make()
      try {
        const growing = new Growing(home, generateCodexHome(shape))
        await growing.add(length)
        const source = new CodexSource({ dir: home.dir })
        const known = new Map<string, Kept>()
        for (const change of [undefined, ...changes]) {
          if (change) await growing.change(change)
          const sessions = await sessionsOf(source, { parts: true })
          // What is known of a file is compared by its ends alone once that has grown, here or elsewhere.
          if (change?.[0] === "rewrite")
            for (const [key, { size }] of known)
              if (!sessions.some((one) => one.key === key && one.size === size)) known.delete(key)
          for (const session of sessions) {
            const kept = [known.get(session.key), undefined]
            const [now, whole] = await Promise.allSettled(kept.map((from) => convert(source, session, from)))
            if (now?.status !== "fulfilled" || whole?.status !== "fulfilled") {
              // Its head was cut.
              expect(now).toMatchObject({ reason: { name: "InvalidSessionError" } })
              expect(now).toEqual(whole)
              known.delete(session.key)
              continue
            }
            expect(now.value.lines).toEqual(whole.value.lines)
            known.set(session.key, now.value)
            if (now.value.goesOn) grown++
          }
        }
      } finally {
        await home.remove()
      }
    })
    await fc.assert(property, { numRuns: tries(60) })
    expect(grown).toBeGreaterThan(0)
  })
})

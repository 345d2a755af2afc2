import { CodexStorage } from "@treelog/agents/codex"
import { readContextFromEnd } from "@treelog/session-core/adapter"
import { tries } from "@treelog-internal/test-kit"
import { generateCodexHome } from "@treelog-internal/test-kit/codex"
import fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"
import { TestHome } from "../home.js"
import { A, counts, event, item, type Line, meta, said, text } from "../rollout-lines.js"

const NAME = `sessions/2026/03/07/rollout-2026-03-07T14-00-00-${A}.jsonl`

async function homeOf(files: readonly { name: string; text: string }[]): Promise<TestHome> {
  const home = await TestHome.make(files)
  onTestFinished(() => home.remove())
  return home
}

const storageOf = ({ dir }: TestHome): CodexStorage => new CodexStorage({ dir, cacheDir: null })

/** Ids of the path that the end of a thread has by itself; undefined where only all of it does. Its context is that of the whole. */
async function idsOfEnd(home: TestHome, key: string): Promise<string[] | undefined> {
  const storage = storageOf(home)
  // With parts only where the end is enough.
  const end = await storage.end?.(key, { withParts: true })
  const context = await readContextFromEnd(storage, key)
  // Once it is converted, it is read from what it became.
  await storage.statContent(key)
  expect(await storage.end?.(key, { withParts: false })).toBeUndefined()
  expect(context).toEqual(await readContextFromEnd(storage, key))
  return end?.map(({ id }) => id)
}

const turn: Line = ["turn_context", { model: "gpt-5", effort: "high", cwd: "/home/ada/shop" }]
const usage = (total: number): Line =>
  counts({ input_tokens: total, output_tokens: 1, total_tokens: total + 1 }, { input_tokens: 5, output_tokens: 1 })
const compaction = (fields: object = {}): Line => [
  "compacted",
  { message: "What was said", replacement_history: [{ type: "message", role: "user", content: [] }], ...fields },
]
const BEFORE = [
  meta(A),
  turn,
  said("user", "Hello"),
  said("assistant", "Hi"),
  usage(10),
  turn,
  said("user", "More"),
  usage(20),
]
const AFTER = [turn, said("user", "Go on"), said("assistant", "Done"), usage(30)]

const endOf = async (...lines: readonly Line[]) => {
  const home = await homeOf([{ name: NAME, text: text(lines) }])
  return idsOfEnd(home, `${home.dir}/${NAME}`)
}

describe("the end of a rollout", () => {
  it("says the context from the last compaction with a history on", async () => {
    expect(await endOf(...BEFORE, compaction(), ...AFTER)).toBeDefined()
    const settings = event("thread_settings_applied", { thread_settings: { service_tier: "priority" } })
    expect(await endOf(meta(A), settings, ...BEFORE.slice(1), compaction(), ...AFTER)).toBeDefined()
  })

  it("is not enough without one, or where it answers, takes back or repeats what stands before", async () => {
    expect(await endOf(...BEFORE, ...AFTER)).toBeUndefined()
    expect(await endOf(...BEFORE, compaction({ replacement_history: undefined }), ...AFTER)).toBeUndefined()
    const answer = item({ type: "function_call_output", call_id: "c1", output: "42" })
    expect(await endOf(...BEFORE, compaction(), ...AFTER, answer)).toBeUndefined()
    const rollback = event("thread_rolled_back", { num_turns: 2 })
    expect(await endOf(...BEFORE, compaction(), ...AFTER, rollback)).toBeUndefined()
    expect(await endOf(...BEFORE, compaction(), ...AFTER, compaction(), ...AFTER)).toBeUndefined()
    expect(await endOf(...BEFORE, compaction(), ...AFTER, meta(A))).toBeUndefined()
  })

  it("is what a search gives, once a compaction was searched before, however the file grows or is replaced", async () => {
    const home = await homeOf([{ name: NAME, text: text([...BEFORE, compaction(), ...AFTER]) }])
    const key = `${home.dir}/${NAME}`
    const cacheDir = `${home.dir}/cache`
    const settings = event("thread_settings_applied", { thread_settings: { service_tier: "priority" } })
    const endIn = (dir: string | null) =>
      new CodexStorage({ dir: home.dir, cacheDir: dir }).end?.(key, { withParts: true })
    const expectSame = async () => {
      const end = await endIn(null)
      expect([await endIn(cacheDir), await endIn(cacheDir)]).toEqual([end, end])
      return end
    }
    const before = await expectSame()
    await home.append(NAME, text(AFTER))
    expect((await expectSame())?.length).toBeGreaterThan(before?.length ?? 0)
    await home.append(NAME, text([compaction({ message: "Other" }), ...AFTER]))
    expect(await expectSame()).toBeDefined()
    await home.write(NAME, text([meta(A), settings, ...BEFORE.slice(1), compaction(), ...AFTER]))
    expect(await expectSame()).toBeDefined()
    await home.write(NAME, text([...BEFORE, compaction(), ...AFTER, compaction(), ...AFTER]))
    expect(await expectSame()).toBeUndefined()
  })

  it("gives the context that the whole gives, of any thread", async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(2 ** 31), async (seed) => {
        const home = await TestHome.make(generateCodexHome({ seed, rollouts: 6, turns: 3 }))
        for await (const { key } of storageOf(home).list()) if (await idsOfEnd(home, key)) compared += 1
        await home.remove()
      }),
      { numRuns: tries(20) + 4, examples: [[1], [2], [3], [4]] },
    )
    expect(compared).toBeGreaterThan(0)
  })
})

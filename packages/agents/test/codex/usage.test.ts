import { type CodexFile, type CodexSession, convertCodex } from "@treelog/agents/codex"
import { isEntry } from "@treelog/session-core"
import { sessionStats } from "@treelog/session-core/search"
import { describe, expect, it } from "vitest"
import { A, B, C, counts, entriesOf, event, file, item, type Line, meta, only, said } from "./rollout-lines.js"

const tokens = (input: number, cached: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  total_tokens: input + output,
})

const totals = (session: Pick<CodexSession, "entries">) => {
  const { calls, input, cacheRead, output, totalTokens } = sessionStats(entriesOf(session)).total
  return { calls, input, cacheRead, output, totalTokens }
}

const answer = (text: string, total: object, last?: object): Line[] => [said("assistant", text), counts(total, last)]

describe("usage of a thread", () => {
  const one = [meta(A), said("user", "one"), ...answer("1", tokens(100, 60, 10), tokens(100, 60, 10))]

  it("goes on with the last response where the totals begin anew, lower or higher than before", () => {
    const lower = only(file(A, [...one, said("user", "two"), ...answer("2", tokens(50, 20, 5), tokens(50, 20, 5))]))
    expect(totals(lower)).toMatchObject({ calls: 2, input: 70, cacheRead: 80, output: 15 })
    const higher = only(file(A, [...one, said("user", "two"), ...answer("2", tokens(500, 0, 5), tokens(500, 0, 5))]))
    expect(totals(higher)).toMatchObject({ calls: 2, input: 540, cacheRead: 60, output: 15 })
  })

  it("goes on from the totals before where those of one line are less than nothing", () => {
    const next = answer("2", tokens(300, 160, 30), tokens(200, 100, 20))
    const session = only(file(A, [...one, counts(tokens(-5, 9, 0), tokens(9e15, 0, 0)), said("user", "two"), ...next]))
    expect(totals(session)).toMatchObject({ calls: 2, input: 140, cacheRead: 160, output: 30 })
  })

  it("counts a response once that is recorded again", () => {
    const record = (response_id: string): Line => ["token_usage_record", { response_id, usage: tokens(100, 60, 10) }]
    const session = only(
      file(A, [meta(A), said("user", "one"), said("assistant", "1"), record("r1"), record("r1"), said("user", "two")]),
    )
    expect(totals(session)).toMatchObject({ calls: 1, input: 40, cacheRead: 60, output: 10 })
  })

  it("counts the turns of an older version, which records totals alone, behind those of a newer one", () => {
    const record: Line = ["token_usage_record", { response_id: "r1", usage: tokens(100, 60, 10) }]
    const turn: Line = ["turn_context", { model: "gpt-5" }]
    const older = answer("2", tokens(300, 160, 30), tokens(200, 100, 20))
    const lines = [meta(A), turn, said("user", "one"), said("assistant", "1"), record, counts(tokens(100, 60, 10))]
    const session = only(file(A, [...lines, turn, said("user", "two"), ...older]))
    expect(totals(session)).toMatchObject({ calls: 2, input: 140, cacheRead: 160, output: 30 })
  })

  it("counts each response once where two processes that resumed the thread write between each other's lines", () => {
    const first = answer("2", tokens(150, 80, 30), tokens(50, 20, 20))
    const second = answer("3", tokens(1100, 560, 12), tokens(1000, 500, 2))
    const next = answer("4", tokens(157, 80, 37), tokens(7, 0, 7))
    const last = answer("5", tokens(1102, 560, 13), tokens(2, 0, 1))
    const session = only(
      file(A, [...one, said("user", "two"), ...first, ...second, ...first.slice(1), ...next, ...last]),
    )
    expect(totals(session)).toMatchObject({ calls: 5, input: 40 + 30 + 500 + 7 + 2, cacheRead: 580, output: 40 })
  })

  it("counts what a sub-agent of a sub-agent did that was asked and said the same", () => {
    const lines = (id: string, parent: string): Line[] => {
      const source = { subagent: { thread_spawn: { parent_thread_id: parent } } }
      return [
        meta(id, { source }),
        item({ type: "reasoning" }),
        said("user", "fix"),
        ...answer("done", tokens(100, 60, 10)),
      ]
    }
    const { sessions } = convertCodex([file(A, one), file(B, lines(B, A)), file(C, lines(C, B))])
    const [nested] = sessions[0]?.artifacts.filter(({ header }) => header.id === C) ?? []
    expect(nested && totals(nested)).toMatchObject({ calls: 1, input: 40, cacheRead: 60, output: 10 })
  })

  it("begins with the last response where the first totals go on from those of another file", () => {
    const session = only(
      file(A, [meta(A), said("user", "one"), ...answer("1", tokens(900, 60, 90), tokens(100, 60, 10))]),
    )
    expect(totals(session)).toMatchObject({ calls: 1, input: 40, cacheRead: 60, output: 10 })
  })

  it("takes new totals where the last response is not said, or cannot be", () => {
    for (const last of [undefined, tokens(9_000_000, 0, 1)]) {
      const session = only(file(A, [...one, said("user", "two"), ...answer("2", tokens(50, 20, 5), last)]))
      expect(totals(session)).toMatchObject({ calls: 2, input: 70, cacheRead: 80, output: 15 })
    }
  })

  it("has no negative figure, and no more from the cache than was sent", () => {
    for (const total of [tokens(130, 40, 12), tokens(130, 190, 8), { ...tokens(130, 60, 20), output_tokens: -3 }]) {
      const session = only(file(A, [...one, said("user", "two"), ...answer("2", total)]))
      for (const entry of entriesOf(session)) {
        const { usage } = isEntry(entry, "message") && "usage" in entry.message ? entry.message : {}
        for (const count of Object.values(usage ?? {})) expect(typeof count !== "number" || count >= 0).toBe(true)
      }
      const { input, cacheRead } = totals(session)
      expect(input + cacheRead).toBe(130)
    }
  })

  it("ignores counts that only repeat, whatever they say of the last response", () => {
    const session = only(file(A, [...one, counts(tokens(100, 60, 10), tokens(4_280_000, 0, 0))]))
    expect(totals(session)).toEqual({ calls: 1, input: 40, cacheRead: 60, output: 10, totalTokens: 110 })
  })

  it("does not say of a compaction that more was before it than the model can get", () => {
    const info = { total_token_usage: tokens(5_000_100, 60, 10), model_context_window: 200_000 }
    const session = only(file(A, [...one, event("token_count", { info }), ["compacted", { message: "sum" }]]))
    expect(entriesOf(session).find(({ type }) => type === "compaction")).toMatchObject({ tokensBefore: 110 })
  })
})

describe("a sub-agent's thread that begins with a filtered copy of its parent", () => {
  const call = [
    item({ type: "function_call", call_id: "c", name: "exec_command", arguments: "{}" }),
    item({ type: "function_call_output", call_id: "c", output: "ok" }),
  ]
  const firstTurn = [said("user", "one"), ...call, ...answer("1", tokens(100, 60, 10), tokens(100, 60, 10))]
  const copied = [said("user", "one"), ...answer("1", tokens(100, 60, 10), tokens(100, 60, 10))]
  const own = (from: number): Line[] => [
    said("user", "Do it"),
    ...answer("Done", tokens(from + 30, 70, 12), tokens(30, 10, 2)),
  ]
  const spawned = (id: string, parent: string, fields: object = {}): Line =>
    meta(id, {
      forked_from_id: parent,
      source: { subagent: { thread_spawn: { parent_thread_id: parent } } },
      ...fields,
    })
  const at = (lines: readonly Line[], offsets: readonly number[]): CodexFile["bytes"] =>
    new TextEncoder().encode(
      lines
        .map(([type, payload], index) => {
          const timestamp = new Date(Date.UTC(2026, 2, 7, 14) + (offsets[index] ?? 9) * 1000).toISOString()
          return `${JSON.stringify({ timestamp, type, payload, ordinal: index })}\n`
        })
        .join(""),
    )
  /** A rollout whose first lines were written when it was begun, and whose others in the seconds after. */
  const copy = (id: string, prefix: readonly Line[], rest: readonly Line[], time: string): CodexFile => ({
    name: `rollout-2026-03-07T${time}-${id}.jsonl`,
    bytes: at([...prefix, ...rest], [...prefix.map(() => 0), ...rest.map((_, index) => 3 + index)]),
  })

  const parent = file(A, [meta(A), ...firstTurn, said("user", "two"), ...answer("2", tokens(220, 160, 15))])
  const child = copy(B, [spawned(B, A), meta(A), ...copied], own(100), "15-00-00")
  const grandchild = copy(
    C,
    [spawned(C, B), meta(B), ...copied, ...own(100)],
    [said("user", "Deeper"), ...answer("Deep", tokens(171, 80, 15), tokens(41, 10, 3))],
    "16-00-00",
  )

  it.each([
    ["before its parent", [grandchild, child, parent]],
    ["after its parent", [parent, child, grandchild]],
  ])("has only its own usage, and so has what it started itself (read %s)", (_, files) => {
    const [session, ...more] = convertCodex(files).sessions
    expect(more).toEqual([])
    expect(totals(session ?? { entries: [] })).toMatchObject({ calls: 2, input: 60, cacheRead: 160, output: 15 })
    const byName = new Map(session?.artifacts.map((artifact) => [artifact.name, totals(artifact)]))
    expect(byName.get(`${B}.jsonl`)).toMatchObject({ calls: 1, input: 20, cacheRead: 10, output: 2 })
    expect(byName.get(`${C}.jsonl`)).toMatchObject({ calls: 1, input: 31, cacheRead: 10, output: 3 })
  })

  it("has only its own usage where the parent is gone", () => {
    expect(totals(only(child))).toMatchObject({ calls: 1, output: 2 })
  })

  it("counts from the line that its head names, whatever the times say", () => {
    const lines = [spawned(B, A, { subagent_history_start_ordinal: 5 }), meta(A), ...copied, ...own(100)]
    expect(totals(only(copy(B, [], lines, "15-00-00")))).toMatchObject({ calls: 1, output: 2 })
  })

  it("uses what the last response used where the copy has no counts of its parent", () => {
    const bare = copy(B, [spawned(B, A), meta(A), said("user", "one"), said("assistant", "1")], own(100), "15-00-00")
    const [session] = convertCodex([parent, bare]).sessions
    expect(totals(session?.artifacts[0] ?? { entries: [] })).toMatchObject({ calls: 1, input: 20, output: 2 })
  })

  it("counts all of an agent that began without a copy", () => {
    const fresh = meta(B, { source: { subagent: { thread_spawn: { parent_thread_id: A } } } })
    const [session] = convertCodex([parent, file(B, [fresh, ...own(0)], "15-00-00")]).sessions
    expect(totals(session?.artifacts[0] ?? { entries: [] })).toMatchObject({ calls: 1, output: 2 })
  })

  it("belongs to the thread that it began with, where it is a review or another helper", () => {
    const review = copy(B, [meta(B, { source: { subagent: "review" }, forked_from_id: A })], own(0), "15-00-00")
    expect(convertCodex([parent, review]).sessions).toMatchObject([{ artifacts: [{ header: { id: B } }] }])
  })
})

import { readFileSync } from "node:fs"
import { MemorySessionStorage, type Session, type SessionEntry, SessionManager } from "@treelog/session-core"
import { bytesOf } from "@treelog-internal/test-kit"
import { allKinds, everyKindSession } from "@treelog-internal/test-kit/generator"
import { describe, expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

type Fields = Readonly<Record<string, unknown>>

interface Said {
  readonly role: unknown
  readonly texts: readonly string[]
  readonly thinking: string
  readonly images: readonly unknown[]
  readonly calls: readonly unknown[]
  readonly model: unknown
  readonly usage: unknown
  readonly result: unknown
}

async function openedText(text: string): Promise<Session> {
  const storage = new MemorySessionStorage()
  const key = "memory:/home/dev/shop/session"
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await lease.create([bytesOf(text)])
  return new SessionManager({ storage }).open(key, { access: "read" })
}

/** What a trajectory has to keep of a message, by the id of its entry. */
function saidIn(entries: Iterable<SessionEntry>): Map<string, Said> {
  const said = new Map<string, Said>()
  for (const entry of entries) {
    const message = entry.type === "message" ? ((entry as unknown as { message: Fields }).message ?? {}) : undefined
    if (!message || !["user", "assistant", "toolResult"].includes(String(message.role))) continue
    const { role, content, model, provider, usage, toolCallId, toolName, isError } = message
    const blocks = (typeof content === "string" ? [{ type: "text", text: content }] : (content ?? [])) as Fields[]
    const of = (type: string): Fields[] => blocks.filter((block) => block.type === type)
    const { input, output, cacheRead, cacheWrite, totalTokens, cost } = (usage ?? {}) as Fields
    said.set(entry.id, {
      role,
      texts: of("text").map(({ text }) => String(text)),
      thinking: of("thinking")
        .flatMap(({ thinking }) => (thinking ? [String(thinking)] : []))
        .join("\n\n"),
      images: of("image").map(({ data, mimeType }) => [data, mimeType]),
      calls: of("toolCall").map(({ id, name, arguments: values }) => [id, name, values]),
      model: role === "assistant" ? [provider, model] : undefined,
      usage: usage && [input, output, cacheRead, cacheWrite, totalTokens, rounded((cost as Fields)?.total)],
      result: role === "toolResult" ? [toolCallId, toolName, isError] : undefined,
    })
  }
  return said
}

/** Costs are rounded where they are summed. */
function rounded(cost: unknown): number {
  return Math.round(Number(cost) * 1e6)
}

/** Exports a session as a trajectory and imports that: the entries of both. */
async function roundTrip(
  box: Sandbox,
  lines: readonly string[],
  parts: ReadonlyMap<string, readonly string[]> = new Map(),
) {
  const path = box.write("agent/sessions/--p--/2026_s.jsonl", lines.join(""))
  for (const [name, part] of parts) box.write(`agent/sessions/--p--/2026_s/${name}`, part.join(""))
  const file = `${box.folder}/run.json`
  await box.print("export", path, "--format", "atif", "--all-branches", "--no-redact", "-o", file)
  const [imported] = (await box.run(["import", file, "--json"])).json
  const copy = String(imported?.path)
  const entriesOf = async (from: string) => [...(await openedText(readFileSync(from, "utf8"))).iterateEntries()]
  return { file, copy, imported, before: await entriesOf(path), after: await entriesOf(copy) }
}

describe("a session that is exported as a trajectory and imported", () => {
  test("keeps texts, thinking, images, calls, results, models, usage and their order", async () => {
    const box = sandbox()
    const { lines, parts } = everyKindSession(1, 200)
    const { before, after, copy } = await roundTrip(box, lines, parts)
    const [expected, found] = [saidIn(before), saidIn(after)]
    expect([...found.keys()].sort()).toEqual([...expected.keys()].sort())
    for (const [id, said] of expected) expect({ id, ...found.get(id) }).toEqual({ id, ...said })
    const isReply = ([, { role }]: readonly [string, Said]): boolean => role !== "toolResult"
    expect([...found].filter(isReply).map(([id]) => id)).toEqual([...expected].filter(isReply).map(([id]) => id))
    const compactions = (entries: readonly SessionEntry[]): unknown[] =>
      entries.flatMap((entry) => (entry.type === "compaction" ? [(entry as unknown as Fields).summary] : []))
    expect(compactions(after)).toEqual(compactions(before))
    const total = async (path: string) => {
      const [{ total }] = (await box.run(["stats", path, "--json"])).json as unknown as [{ total: Fields }]
      return [total.input, total.output, total.cacheRead, total.cacheWrite, total.totalTokens, total.calls]
    }
    expect(await total(copy)).toEqual(await total(`${box.folder}/agent/sessions/--p--/2026_s.jsonl`))
    expect((await box.run(["verify", copy])).code).toBe(0)
  })

  test("has the branches that it had", async () => {
    const { lines, leaves } = everyKindSession(2, 200)
    const { after } = await roundTrip(sandbox(), lines)
    const parents = new Set(after.map(({ parentId }) => parentId))
    expect(after.filter(({ id }) => !parents.has(id))).toHaveLength(leaves.length)
  })

  test("is there once, however often it is imported", async () => {
    const box = sandbox()
    const { file, imported } = await roundTrip(box, everyKindSession(3, 60).lines)
    expect(imported).toMatchObject({ status: "created", unknownKinds: [] })
    const [again] = (await box.run(["import", file, "--json"])).json
    expect(again).toMatchObject({ status: "unchanged", added: 0, sessionId: imported?.sessionId })
  })

  test.each(["pi", "omp"] as const)("of every kind that %s has is a session without a fault", async (style) => {
    const box = sandbox()
    const { copy, before, after } = await roundTrip(box, allKinds(style))
    expect((await box.run(["verify", copy])).code).toBe(0)
    const replies = (entries: readonly SessionEntry[]): number =>
      [...saidIn(entries).values()].filter(({ role }) => role === "assistant").length
    expect(replies(after)).toBe(replies(before))
  })
})

describe("a trajectory of another program", () => {
  const TRAJECTORY = {
    schema_version: "ATIF-v1.5",
    session_id: "run-7",
    agent: { name: "terminus-2", version: "2.0", model_name: "anthropic/claude-opus-4-1" },
    steps: [
      { step_id: 1, source: "system", message: "You fix things." },
      { step_id: 2, timestamp: "2026-10-11T12:00:00Z", source: "user", message: "Fix it." },
      {
        step_id: 3,
        timestamp: "2026-10-11T12:00:05+02:00",
        source: "agent",
        message: "I look.",
        reasoning_content: "Where?",
        reasoning_effort: "high",
        tool_calls: [
          { tool_call_id: "c1", function_name: "bash", arguments: { keystrokes: "ls\n" } },
          // Exporters of others write them as JSON.
          { tool_call_id: "c2", function_name: "read", arguments: '{"path":"b.ts"}' },
        ],
        observation: { results: [{ source_call_id: "c1", content: "a.ts" }] },
        metrics: { prompt_tokens: 100, completion_tokens: 20, cached_tokens: 60, cost_usd: 0.5 },
      },
      {
        step_id: 4,
        source: "agent",
        message: "Done.",
        model_name: "gpt-5",
        observation: { results: [{ content: "exit 0" }] },
      },
    ],
  }

  test("is a session: listed, shown, counted", async () => {
    const box = sandbox()
    const file = box.write("run.json", JSON.stringify(TRAJECTORY, null, 2))
    const [imported] = (await box.run(["import", file, "--json"])).json
    expect(imported).toMatchObject({ sessionId: "atif-run-7", status: "created", lines: 5 })
    const shown = await box.print("show", "atif-run-7", "--full")
    for (const text of ["You fix things.", "Fix it.", "Where?", "I look.", "b.ts", "a.ts", "exit 0", "Done."])
      expect(shown).toContain(text)
    const [stats] = (await box.run(["stats", "atif-run-7", "--json"])).json
    expect(stats).toMatchObject({
      roles: { system: 1, user: 1, assistant: 2, toolResult: 2 },
      total: { input: 40, output: 20, cacheRead: 60, totalTokens: 120, cost: { reported: 0.5 } },
      models: { "anthropic/claude-opus-4-1": { calls: 1 } },
    })
  })

  test("grows: what is new is added", async () => {
    const box = sandbox()
    const { steps } = TRAJECTORY
    const write = (count: number): string =>
      box.write("run.json", JSON.stringify({ ...TRAJECTORY, steps: steps.slice(0, count) }))
    await box.print("import", write(2))
    const [grown] = (await box.run(["import", write(4), "--json"])).json
    expect(grown).toMatchObject({ status: "appended", sessionId: "atif-run-7" })
    expect((await box.run(["import", write(4), "--json"])).json[0]).toMatchObject({ status: "unchanged" })
  })

  test.each([
    [
      "of a version that is not known",
      "UnsupportedVersionError",
      JSON.stringify({ ...TRAJECTORY, schema_version: "ATIF-v2.0" }),
    ],
    ["that is cut", "InvalidSessionError", JSON.stringify(TRAJECTORY).slice(0, -20)],
  ])("%s is refused, by its path, and nothing is stored", async (_what, code, text) => {
    const box = sandbox()
    const file = box.write("run.json", text)
    const { code: exit, stdout, stderr } = await box.run(["import", file])
    expect(exit).toBe(1)
    expect(stdout + stderr).toContain(`${file} ${code}`)
    expect((await box.run(["list", "--all", "--json"])).json).toEqual([])
  })
})

test("usage that only the whole trajectory has counts, and that of steps that another one has does not", async () => {
  const box = sandbox()
  const trajectory = (id: string, fields: Fields) =>
    JSON.stringify({
      schema_version: "ATIF-v1.7",
      session_id: id,
      agent: { name: "x", model_name: "openai/gpt-5" },
      ...fields,
    })
  const said = { source: "agent", message: "Yes" }
  const metrics = { prompt_tokens: 100, completion_tokens: 10, cached_tokens: 40 }
  box.write(
    "a.json",
    trajectory("a", {
      steps: [{ step_id: 1, ...said }],
      final_metrics: {
        total_prompt_tokens: 100,
        total_completion_tokens: 10,
        total_cached_tokens: 40,
        total_cost_usd: 0.5,
      },
    }),
  )
  box.write(
    "b.json",
    trajectory("b", {
      steps: [
        { step_id: 1, ...said, metrics, is_copied_context: true },
        { step_id: 2, ...said, metrics },
      ],
      final_metrics: { total_prompt_tokens: 100, total_completion_tokens: 10, total_cached_tokens: 40 },
    }),
  )
  for (const name of ["a", "b"]) await box.run(["import", `${box.folder}/${name}.json`])
  const [stats] = (await box.run(["stats", "--by", "model", "--all", "--json"])).json as { total: Fields }[]
  expect(stats?.total).toMatchObject({ calls: 2, input: 120, output: 20, cacheRead: 80, cost: { reported: 0.5 } })
})

test("what Claude Code cached counts as written to the cache, in trajectories of each version of Harbor", async () => {
  const box = sandbox()
  const extra = {
    ...{ cache_creation_input_tokens: 900, cache_read_input_tokens: 5000, service_tier: "standard" },
    ...{ cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 800 } },
    server_tool_use: { web_search_requests: 2 },
  }
  const forms = [
    { prompt_tokens: 5910, cached_tokens: 5000 },
    // Without what was written, as before, and without what was read.
    { prompt_tokens: 5010, cached_tokens: 5000 },
    { prompt_tokens: 5910 },
  ]
  for (const [at, form] of forms.entries()) {
    const metrics = { ...form, completion_tokens: 7, extra }
    const agent = { name: "claude-code", model_name: "anthropic/claude-opus-5" }
    const steps = [{ step_id: 1, source: "agent", message: "Yes", metrics }]
    box.write(`${at}.json`, JSON.stringify({ schema_version: "ATIF-v1.7", session_id: `s${at}`, agent, steps }))
    await box.run(["import", `${box.folder}/${at}.json`])
  }
  const [stats] = (await box.run(["stats", "--by", "session", "--all", "--json"])).json as { rows: Fields[] }[]
  const used = { input: 10, output: 7, cacheRead: 5000, cacheWrite: 900 }
  expect(stats?.rows).toMatchObject([used, used, used])
})

test("of sub-agents whose steps say no usage their sums count, and of a sum of the cost, theirs is a part", async () => {
  const box = sandbox()
  const said = { source: "agent", message: "Yes" }
  const of = (id: string, tokens: number, cost: number, fields: Fields = {}): Fields => ({
    ...{ schema_version: "ATIF-v1.7", trajectory_id: id, agent: { name: "x", model_name: "openai/gpt-5" } },
    ...{ steps: [{ step_id: 1, ...said }], final_metrics: { total_prompt_tokens: tokens, total_cost_usd: cost } },
    ...fields,
  })
  const metrics = { prompt_tokens: 100, cost_usd: 1 }
  const parts = [of("b", 20, 0.25), of("c", 3, 0.125)]
  // Its own steps say what it used, and then only their sum does.
  box.write(
    "a.json",
    JSON.stringify(of("a", 100, 1.375, { steps: [{ step_id: 1, ...said, metrics }], subagent_trajectories: parts })),
  )
  box.write("d.json", JSON.stringify(of("d", 7, 0.5, { subagent_trajectories: parts })))
  for (const name of ["a", "d"]) await box.run(["import", `${box.folder}/${name}.json`])
  const [stats] = (await box.run(["stats", "--by", "session", "--all", "--json"])).json as { rows: Fields[] }[]
  expect(stats?.rows).toMatchObject([
    { session: { id: "atif-a" }, input: 123, cost: { reported: 1.375 } },
    { session: { id: "atif-d" }, input: 30, cost: { reported: 0.5 } },
  ])
})

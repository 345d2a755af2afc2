import { exportSession } from "@treelog/export"
import * as redaction from "@treelog/secrets"
import { sessionStats } from "@treelog/session-core/search"
import { allKinds, everyKindSession, generateSession } from "@treelog-internal/test-kit/generator"
import { plantedSecrets } from "@treelog-internal/test-kit/secrets"
import { describe, expect, test } from "vitest"
import {
  attributeOf,
  exportedText,
  INTERCHANGE,
  type OtelSpan,
  openedSession,
  spansIn,
  type Trajectory,
} from "./interchange.js"

const NONE: ReadonlyMap<string, readonly string[]> = new Map()

/** By what it is: a session, and its sub-agents. */
const SESSIONS = [
  ...[1, 2].map((seed) => {
    const { lines, parts } = everyKindSession(seed, 300)
    return [`everyKindSession(${seed})`, lines, parts] as const
  }),
  ...(["pi", "pi-v1", "pi-migrated", "omp", "treelog"] as const).map(
    (style) => [`allKinds(${style})`, allKinds(style), NONE] as const,
  ),
  ...([1, 2, 3] as const).map(
    (seed) =>
      [
        `generateSession(${seed})`,
        [...generateSession({ seed, style: "pi", entries: 120, branching: 0.3 })],
        NONE,
      ] as const,
  ),
]

async function countedIn(lines: readonly string[], parts: ReadonlyMap<string, readonly string[]>) {
  const entries = async (part: readonly string[]) => (await openedSession(part)).getEntries()
  const counted = []
  for (const [name, part] of parts) counted.push({ name, role: "subagent", entries: await entries(part) })
  const { total } = sessionStats(await entries(lines), counted)
  const { input, output, cacheRead, cacheWrite } = total
  return { prompt: input + cacheRead + cacheWrite, output, cacheRead, cacheWrite }
}

function sumOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === "number" ? value : 0), 0)
}

describe.each(SESSIONS)("%s", (_name, lines, parts) => {
  test("atif: steps are numbered, tokens are those of stats, each call has its result or says that it has none", async () => {
    const root: Trajectory = JSON.parse(await exportedText(lines, parts, { format: "atif" }))
    const all = [root, ...(root.subagent_trajectories ?? [])]
    const { prompt, output, cacheRead } = await countedIn(lines, parts)
    const steps = all.flatMap((one) => one.steps)
    for (const one of all) expect(one.steps.map(({ step_id }) => step_id)).toEqual(one.steps.map((_, at) => at + 1))
    const amounts = (key: string): number => sumOf(steps.map(({ metrics }) => metrics?.[key]))
    const totals = (key: string): number => sumOf(all.map((one) => one.final_metrics[key]))
    expect([amounts("prompt_tokens"), totals("total_prompt_tokens")]).toEqual([prompt, prompt])
    expect([amounts("completion_tokens"), totals("total_completion_tokens")]).toEqual([output, output])
    expect([amounts("cached_tokens"), totals("total_cached_tokens")]).toEqual([cacheRead, cacheRead])
    for (const { tool_calls: calls = [], observation } of steps) {
      const answered = observation?.results.flatMap(({ source_call_id: id }) => (id === undefined ? [] : [id])) ?? []
      for (const { tool_call_id: id, extra } of calls) expect(answered.includes(id)).toBe(extra?.has_result !== false)
      for (const id of answered) expect(calls.map(({ tool_call_id }) => tool_call_id)).toContain(id)
    }
    const refs = root.steps.flatMap(({ observation }) =>
      (observation?.results ?? []).flatMap(({ subagent_trajectory_ref: refs = [] }) =>
        refs.map(({ trajectory_id }) => trajectory_id),
      ),
    )
    expect(refs).toEqual([...parts.keys()])
    expect(root.subagent_trajectories?.map(({ trajectory_id }) => trajectory_id) ?? []).toEqual(refs)
  })

  test("otel: one trace of spans in spans, tokens are those of stats, each call of a tool is a span", async () => {
    const text = await exportedText(lines, parts, { format: "otel" })
    const spans = spansIn(text)
    const ids = new Set(spans.map(({ spanId }) => spanId))
    expect(ids.size).toBe(spans.length)
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined)
    expect(roots.map(({ name }) => name)).toEqual(["invoke_agent unknown"])
    for (const { parentSpanId, startTimeUnixNano, endTimeUnixNano } of spans) {
      if (parentSpanId !== undefined) expect(ids).toContain(parentSpanId)
      expect(BigInt(startTimeUnixNano)).toBeLessThanOrEqual(BigInt(endTimeUnixNano))
    }
    const { prompt, output, cacheRead, cacheWrite } = await countedIn(lines, parts)
    const sum = (key: string): number => sumOf(spans.map((span) => attributeOf(span, `gen_ai.usage.${key}`)))
    expect(sum("input_tokens")).toBe(prompt)
    expect(sum("output_tokens")).toBe(output)
    expect(sum("cache_read.input_tokens")).toBe(cacheRead)
    expect(sum("cache_write.input_tokens")).toBe(cacheWrite)
    const called = spans.flatMap((span): { type: string }[] => {
      const [message] = JSON.parse(String(attributeOf(span, "gen_ai.output.messages") ?? "[]"))
      return message?.parts ?? []
    })
    const executed = spans.filter(({ name }) => name.startsWith("execute_tool"))
    expect(executed.length).toBeGreaterThanOrEqual(called.filter(({ type }) => type === "tool_call").length)
    for (const span of executed) {
      const isOpen = attributeOf(span, "gen_ai.tool.call.result") === undefined
      expect(isOpen).toBe(attributeOf(span, "error.type") === "no_result")
    }
    for (const caller of callersOf(spans)) expect(caller?.name).toBe("execute_tool task")
    expect(await exportedText(lines, parts, { format: "otel" })).toBe(text)
  })

  // The table of fields that Hugging Face has published (docs/interchange.md).
  test("sts: a header, then messages, each call with a result behind it, and results of no other calls", async () => {
    const [head, ...messages] = (await exportedText(lines, NONE, { format: "sts" }))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(head).toMatchObject({ type: "session", harness: "unknown", id: expect.any(String) })
    let open: string[] = []
    const called = new Set<string>()
    for (const { type, message } of messages) {
      expect(type).toBe("message")
      expect(typeof message.content).toBe("string")
      expect(["user", "assistant", "system", "tool"]).toContain(message.role)
      if (message.toolCallId !== undefined) {
        expect([message.role, called.has(message.toolCallId)]).toEqual(["tool", true])
        open = open.filter((id) => id !== message.toolCallId)
      } else if (message.role !== "tool") expect(open).toEqual([])
      if (message.toolCalls !== undefined) expect(message.role).toBe("assistant")
      if (message.timestamp !== undefined) expect(Number.isSafeInteger(message.timestamp)).toBe(true)
      for (const { id, function: tool } of message.toolCalls ?? []) {
        expect(typeof JSON.parse(tool.arguments)).toBe("object")
        open.push(id)
        called.add(id)
      }
    }
    expect(open).toEqual([])
  })
})

/** The spans in which the sub-agents are. */
function callersOf(spans: readonly OtelSpan[]): (OtelSpan | undefined)[] {
  const agents = spans.filter(
    ({ name, parentSpanId }) => name === "invoke_agent subagent" && parentSpanId !== undefined,
  )
  return agents.map(({ parentSpanId }) => spans.find(({ spanId }) => spanId === parentSpanId))
}

test("every prompt, reply, call, result, image, thought and compaction of a session is in its trajectory", async () => {
  const { lines, counts } = everyKindSession(3, 400)
  const { steps }: Trajectory = JSON.parse(await exportedText(lines, NONE, { format: "atif" }))
  const calls = steps.flatMap(({ tool_calls: calls = [] }) => calls)
  const results = steps.flatMap(({ observation }) => observation?.results ?? []).filter((one) => one.source_call_id)
  const images = (values: readonly unknown[]): number =>
    values.flat().filter((one) => (one as { type?: unknown })?.type === "image").length
  expect({
    prompts: steps.filter(({ source }) => source === "user").length,
    replies: steps.filter(({ extra }) => extra.kind === "assistant").length,
    calls: calls.length,
    failedCalls: results.filter(({ extra }) => extra?.is_error).length,
    callsWithoutResult: calls.filter(({ extra }) => extra?.has_result === false).length,
    imagesInPrompts: images(steps.map(({ message }) => message)),
    imagesInResults: images(results.map(({ content }) => content)),
    thinking: steps.filter((step) => "reasoning_content" in step).length,
    compactions: steps.filter(({ extra }) => "context_management" in extra).length,
  }).toEqual({
    ...{ prompts: counts.prompts, replies: counts.replies, calls: counts.calls, failedCalls: counts.failedCalls },
    callsWithoutResult: counts.callsWithoutResult,
    imagesInPrompts: counts.imagesInPrompts,
    imagesInResults: counts.imagesInResults,
    thinking: counts.signedThinking + counts.unsignedThinking,
    compactions: counts.compactions,
  })
})

test("a branch has its own steps and sub-agents alone, all branches say where each begins", async () => {
  const { lines, parts, leaves } = everyKindSession(4, 300)
  const one = async (leafId: string): Promise<Trajectory> =>
    JSON.parse(await exportedText(lines, parts, { format: "atif", leafId }))
  const [first, second] = [await one(leaves[0]), await one(leaves[1])]
  expect(first.subagent_trajectories).toBeUndefined()
  expect(second.subagent_trajectories?.length).toBe(parts.size)
  const whole: Trajectory = JSON.parse(await exportedText(lines, parts, { format: "atif" }))
  const turns = whole.steps.filter(({ extra }) => "parent_entry_id" in extra)
  expect(turns).toHaveLength(1)
  const known = new Set(first.steps.map(({ extra }) => extra.entry_id))
  expect(known).toContain(turns[0]?.extra.parent_entry_id)
  for (const { steps } of [first, second]) expect(steps.filter(({ extra }) => "parent_entry_id" in extra)).toEqual([])
})

test.each(INTERCHANGE)("%s: no secret that stands in any field is in a redacted export", async (format) => {
  const { lines, parts } = everyKindSession(5, 60)
  const sessions = [lines, ...parts.values(), allKinds("pi"), allKinds("omp")]
  const secrets = plantedSecrets(8)
  for (const secret of secrets) {
    const planted = sessions.map((session) => session.map((line) => withSecret(line, secret.text)))
    const [main = [], ...others] = planted
    const named = new Map(others.map((part, at) => [`part-${at}.jsonl`, part]))
    const text = await exportedText(main, named, { format, redaction })
    const at = text.indexOf(secret.core)
    expect(at < 0 ? "" : text.slice(at - 100, at + 50), secret.kind).toBe("")
    expect((await exportedText(main, named, { format })).includes(secret.core), secret.kind).toBe(true)
  }
})

/** Puts a secret into every text of an entry but for those that link entries, say what they are, or are no text. */
function withSecret(line: string, secret: string): string {
  const value = JSON.parse(line, (key, value) =>
    typeof value === "string" && !KEPT.has(key) ? `${value} ${secret}` : value,
  )
  return `${JSON.stringify(value)}\n`
}

const KEPT: ReadonlySet<string> = new Set([
  ...["type", "id", "parentId", "timestamp", "role", "targetId", "fromId", "firstKeptEntryId", "updatedAt", "pad"],
])

test("a session without anything is no trajectory, a trace of its agent, and a header", async () => {
  const lines = [...generateSession({ seed: 1, style: "pi", entries: 0 })]
  await expect(exportedText(lines, NONE, { format: "atif" })).rejects.toThrow(/at least one step/)
  expect(spansIn(await exportedText(lines, NONE, { format: "otel" }))).toHaveLength(1)
  expect((await exportedText(lines, NONE, { format: "sts" })).trimEnd().split("\n")).toHaveLength(1)
})

test.each(INTERCHANGE)("%s of a damaged session has what can be read", async (format) => {
  const head = (id: string, parentId: string | null): object => ({
    type: "message",
    id,
    parentId,
    timestamp: "no time",
  })
  const call = { type: "toolCall", id: "c", name: 7, arguments: '{"a":' }
  const entries = [
    { ...head("a", null), message: null },
    { ...head("b", "a"), message: { role: "user", content: 5 } },
    { ...head("c", "b"), message: { role: "assistant", content: [call, call, null, 3, { type: "toolCall" }] } },
    { ...head("d", "c"), message: { role: "toolResult", content: "said" } },
    {
      ...head("e", "d"),
      message: { role: "toolResult", toolCallId: "elsewhere", content: [{ type: "text", text: "lost" }] },
    },
    { ...head("f", "e"), message: { role: "user", content: "Go on." } },
    { ...head("g", "f"), type: "compaction" },
    { ...head("h", "g"), type: "context_edit", targetId: "f", replacement: { content: "Stop." } },
  ]
  const header = { type: "session", version: 3, id: "damaged", timestamp: "never", cwd: "/shop" }
  const lines = [header, ...entries].map((value) => `${JSON.stringify(value)}\n`)
  const text = await exportedText([...lines, "{ no JSON\n"], NONE, { format })
  expect(text).toContain("lost")
  if (format !== "otel") expect(text).toContain("Go on.")
})

test.each(["atif", "sts"] as const)("%s of a session that names no time names none", async (format) => {
  const timestamp = new Date(0).toISOString()
  const header = { type: "session", version: 3, id: "untimed", timestamp, cwd: "/shop" }
  const message = { role: "user", content: "Hi", timestamp: 0 }
  const entries = [header, { type: "message", id: "a", parentId: null, timestamp, message }]
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`)
  const text = await exportedText(lines, new Map(), { format })
  expect(text).toContain("Hi")
  expect(text).not.toMatch(/1970|"timestamp":0/)
})

test.each(INTERCHANGE)("%s has no half of a surrogate pair, and keeps a text that looks like one", async (format) => {
  const header = '{"type":"session","version":3,"id":"cut","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/shop"}\n'
  const content = '[{"type":"text","text":"cut \\ud83d, kept \\ud83d\\ude42 and \\\\ud83d"}]'
  const entry = `{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"assistant","content":${content}}}\n`
  const text = await exportedText([header, entry], NONE, { format })
  const [value] = /"cut [^"]*\\*"/.exec(text) ?? []
  const said = JSON.parse(format === "otel" ? `"${value?.slice(1, -2)}"` : (value ?? ""))
  expect(format === "otel" ? JSON.parse(`"${said}"`) : said).toBe("cut \ufffd, kept 🙂 and \\ud83d")
})

test.each(INTERCHANGE)("%s of a deep value is written", async (format) => {
  const deep = "[".repeat(20_000) + "]".repeat(20_000)
  const header = '{"type":"session","version":3,"id":"deep","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/shop"}\n'
  const content = `[{"type":"toolCall","id":"c","name":"deep","arguments":{"deep":${deep}}}]`
  const entry = `{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"assistant","content":${content}}}\n`
  expect(await exportedText([header, entry], NONE, { format })).toContain("[".repeat(20_000))
})

test.each(INTERCHANGE)("%s of 20,000 entries begins before the last one was read", async (format) => {
  const session = await openedSession([...generateSession({ seed: 1, style: "pi", entries: 20_000, toolOutput: 50 })])
  const exported = exportSession(session, { format, allBranches: true })
  for await (const piece of exported) {
    expect(piece.length).toBeGreaterThan(0)
    expect(exported.summary.entries).toBeLessThan(2_000)
    break
  }
})

test("The agent and its version are those that the header names, without secrets.", async () => {
  const [planted] = plantedSecrets(1)
  const [, ...entries] = allKinds("pi")
  const agentOf = async (source: object, agent: object) => {
    const header = JSON.stringify({
      type: "session",
      version: 3,
      id: "a",
      timestamp: "2026-11-01T00:00:00.000Z",
      cwd: "/a",
      source,
    })
    const text = await exportedText([header, ...entries], NONE, { format: "atif", redaction })
    expect(JSON.parse(text)).toMatchObject({ agent })
    return text
  }
  await agentOf({ agent: "claude-code", version: "2.1.332" }, { name: "claude-code", version: "2.1.332" })
  await agentOf({ agent: "claude-code" }, { name: "claude-code", version: "unknown" })
  const text = await agentOf(
    { agent: planted?.text, version: planted?.text },
    { name: expect.stringContaining("[redacted") },
  )
  expect(text).not.toContain(planted?.core)
})

test.each(INTERCHANGE)("as %s, calls and results whose ids and names are no texts are written, too", async (format) => {
  const odd = { toString: 1 }
  const said = [
    { role: "assistant", content: [{ type: "toolCall", id: odd, name: odd, arguments: {} }] },
    { role: "toolResult", toolCallId: odd, toolName: odd, content: [{ type: "text", text: "12 files" }] },
    { role: odd, content: "who?" },
  ]
  const entries = said.map((message, at) => ({
    ...{ type: "message", id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}` },
    ...{ timestamp: "2026-03-07T14:00:00.000Z", message },
  }))
  const lines = [{ type: "session", version: 3, id: "s", timestamp: "2026-03-07T14:00:00.000Z", cwd: "/" }, ...entries]
  const text = await exportedText(
    lines.map(
      (line) => `${JSON.stringify(line)}
`,
    ),
    NONE,
    { format },
  )
  expect(text).toContain("12 files")
})

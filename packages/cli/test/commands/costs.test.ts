import { join } from "node:path"
import { assistantMessage, messageEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

// What `treelog stats` makes of sessions whose programs wrote no cost.

interface Reply {
  readonly id: string
  readonly model: string
  readonly usage: Readonly<Record<string, number | object>>
}

const REPLIES: readonly Reply[] = [
  {
    id: "m1",
    model: "claude-opus-5",
    usage: { input_tokens: 1000, output_tokens: 2000, cache_read_input_tokens: 300_000 },
  },
  {
    id: "m2",
    model: "claude-opus-5",
    usage: {
      ...{
        input_tokens: 5,
        output_tokens: 700,
        cache_creation_input_tokens: 9000,
        server_tool_use: { web_search_requests: 2 },
      },
      cache_creation: { ephemeral_5m_input_tokens: 4000, ephemeral_1h_input_tokens: 5000 },
    },
  },
  {
    id: "m3",
    model: "claude-haiku-5-5",
    usage: { input_tokens: 10, output_tokens: 50, cache_read_input_tokens: 99_000 },
  },
  {
    id: "m4",
    model: "claude-haiku-5-5",
    usage: { input_tokens: 10, output_tokens: 50, cache_read_input_tokens: 101_000 },
  },
  { id: "m5", model: "model-of-nobody", usage: { input_tokens: 4000, output_tokens: 1000 } },
]
const OF_AGENT: Reply = { id: "s1", model: "claude-opus-5", usage: { input_tokens: 2000, output_tokens: 100 } }

function linesOf(replies: readonly Reply[], cwd: string, more: object = {}): string {
  const line = ({ id, model, usage }: Reply, at: number): object => ({
    ...{
      parentUuid: null,
      isSidechain: false,
      cwd,
      sessionId: "5e551011-0000-4000-8000-000000000001",
      version: "2.1.332",
    },
    ...more,
    ...{
      uuid: `00000000-0000-4000-8000-${id.padStart(12, "0")}`,
      timestamp: `2026-03-02T12:00:0${at}.000Z`,
      type: "assistant",
    },
    ...{
      requestId: `req_${id}`,
      message: { id, model, type: "message", role: "assistant", content: [{ type: "text", text: id }], usage },
    },
  })
  // Each response is repeated for each of its blocks.
  return replies
    .flatMap((reply, at) => [line(reply, at), line(reply, at)])
    .map((one) => `${JSON.stringify(one)}\n`)
    .join("")
}

/** Rates in dollars for a million tokens: input, output, cache read, cache write; and where they change. */
const RATES: Readonly<Record<string, (input: number) => readonly [number, number, number, number]>> = {
  "claude-opus-5": () => [5, 25, 0.5, 6.25],
  "claude-haiku-5-5": (input) => (input > 100_000 ? [0.5, 2.5, 0.05, 0.625] : [0.1, 0.5, 0.01, 0.125]),
}

/** What replies cost, in plain code. */
function costOfReplies(replies: readonly Reply[]): number {
  let cost = 0
  for (const { model, usage } of replies) {
    const number = (key: string): number => Number(usage[key] ?? 0)
    const written = number("cache_creation_input_tokens")
    const { ephemeral_1h_input_tokens: hour = 0 } = (usage.cache_creation ?? {}) as Record<string, number>
    const { web_search_requests: searches = 0 } = (usage.server_tool_use ?? {}) as Record<string, number>
    const rates = RATES[model]?.(number("input_tokens") + number("cache_read_input_tokens") + written)
    if (!rates) continue
    const [input, output, read, write] = rates
    cost += number("input_tokens") * input + number("output_tokens") * output + number("cache_read_input_tokens") * read
    cost += (written - hour) * write + hour * 2 * input + searches * 10_000
  }
  return cost / 1e6
}

function claude(box: Sandbox): void {
  const folder = ".claude/projects/-p"
  const id = "5e551011-0000-4000-8000-000000000001"
  box.write(join(folder, `${id}.jsonl`), linesOf(REPLIES, box.project))
  const agent = { agentId: "a1", isSidechain: true }
  box.write(join(folder, id, "subagents", "agent-a1.jsonl"), linesOf([OF_AGENT], box.project, agent))
}

const stats = async (box: Sandbox, ...argv: string[]) =>
  (await box.run(["stats", "--all", "--all-stores", "--json", ...argv])).json[0]

test("estimates the cost of Claude Code's replies as an independent sum of its records does", async () => {
  const box = sandbox()
  claude(box)
  const estimated = costOfReplies([...REPLIES, OF_AGENT])
  const unpriced = { models: ["anthropic/model-of-nobody"], tokens: 5000 }
  for (const kind of ["day", "session", "agent", "model"]) {
    const document = await stats(box, "--by", kind)
    const cost = { reported: 0, estimated: expect.closeTo(estimated, 9), unpriced, free: [] }
    expect(document?.total).toMatchObject({ calls: 6, cost })
    expect(document?.parts).toMatchObject([{ role: "subagent", calls: 1, totalTokens: 2100 }])
  }
})

test("marks estimates, what has no price, and what sub-agents used", async () => {
  const box = sandbox()
  claude(box)
  const paid = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, totalTokens: 120, cost: { total: 1234.5 } }
  box.store([
    {
      ...messageEntry("p", null, assistantMessage("", { model: "small", usage: paid as never })),
      timestamp: "2026-03-02T13:00:00.000Z",
    },
  ])
  const { stdout } = await box.run(["stats", "--all", "--all-stores", "--by", "model"])
  expect(stdout).toMatchInlineSnapshot(`
    "model                       calls  input  output  cache read  cache write  tokens         cost
    anthropic/small                 1    100      20           0            0     120    $1,234.50
    anthropic/claude-opus-5         3   3.0K    2.8K      300.0K         9.0K  314.8K       ~$0.33
    anthropic/claude-haiku-5-5      2     20     100      200.0K            0  200.1K       ~$0.01
    anthropic/model-of-nobody       1   4.0K    1.0K           0            0    5.0K            –
    total                           7   7.1K    3.9K      500.0K         9.0K  520.0K  ~$1,234.84+
      of which sub-agents           1   2.0K     100           0            0    2.1K       ~$0.01

    ~ $1,234.50 was reported, $0.34 is estimated by list prices of 2026-11-20.
    No price is known for anthropic/model-of-nobody: 5.0K tokens are not in the cost.
    "
  `)
})

test("says what a session cost where it is shown, exported and, once it was read, listed", async () => {
  const box = sandbox()
  claude(box)
  const session = "5e551011-0000-4000-8000-000000000001"
  const listed = async () => (await box.run(["list", "--all", "--json"])).json[0]
  expect(await listed()).not.toHaveProperty("cost")
  const estimated = costOfReplies([...REPLIES, OF_AGENT])
  const cost = { reported: 0, estimated: expect.closeTo(estimated, 9), unpriced: { tokens: 5000 } }
  expect((await box.run(["show", session, "--json"])).json[0]).toMatchObject({ cost })
  expect((await box.run(["show", session])).stdout).toContain(" · ~$0.34+\n")
  expect((await box.run(["export", session, "--all-branches"])).stdout).toContain("- Cost: \\~$0.34+ · ")
  const { stdout } = await box.run(["export", session, "--format", "json"])
  expect(JSON.parse(stdout).session).toMatchObject({ cost })
  expect(await listed()).toMatchObject({ cost, messageCount: 5 })
})

test("asks the price list that `config set prices` names first", async () => {
  const box = sandbox()
  claude(box)
  const file = box.write(
    "prices.json",
    JSON.stringify({ models: [{ model: "model-of-nobody", input: 1000, output: 0 }] }),
  )
  await box.print("config", "set", "prices", file)
  const document = await stats(box, "--by", "model")
  const rows = (document?.rows ?? []) as { key: string; cost: object }[]
  const cost = rows.find(({ key }) => key.endsWith("nobody"))?.cost
  expect(cost).toMatchObject({ estimated: 4, unpriced: { models: [] } })
  box.write("prices.json", '{"models":[{"model":"x","input":-1,"output":0}]}')
  const { code, stderr } = await box.run(["stats"])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining("models[0].input is not a number of 0 or more."),
  })
})

test("--csv has plain numbers, no estimate without a price, and keeps a spreadsheet from computing a name", async () => {
  const box = sandbox()
  const reply = (id: string, parent: string | null, model: string, total: number) => {
    const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, totalTokens: 120, cost: { total } }
    return messageEntry(id, parent, assistantMessage("", { provider: "=1", model, usage: usage as never }))
  }
  box.store([reply("p", null, 'a,"b"', 0.1), reply("q", "p", 'a,"b"', 0.2), reply("r", "q", "unpriced", 0)])
  expect(await box.print("stats", "--all", "--by", "model", "--csv")).toBe(
    [
      "model,calls,input,output,cacheRead,cacheWrite,totalTokens,reported,estimated,unpricedTokens",
      `"'=1/a,""b""",2,200,40,0,0,240,0.3,0,0`,
      "'=1/unpriced,1,100,20,0,0,120,0,,120",
    ].join("\n"),
  )
})

test("--by tool estimates what fills the context, and what is read again", async () => {
  const box = sandbox()
  const call = (id: string) => ({ type: "toolCall" as const, id, name: "read", arguments: { path: "a.ts" } })
  const result = (id: string) => ({
    role: "toolResult",
    toolCallId: id,
    toolName: "read",
    content: [{ type: "text", text: "x".repeat(400) }],
    isError: false,
    timestamp: 0,
  })
  box.store([
    messageEntry("a", null, assistantMessage("", { content: [call("c1")] })),
    messageEntry("b", "a", result("c1") as never),
    messageEntry("c", "b", assistantMessage("", { content: [call("c2")] })),
    messageEntry("d", "c", result("c2") as never),
  ])
  const [document] = (await box.run(["stats", "@last", "--by", "tool", "--json"])).json
  expect(document?.rows).toMatchObject([
    { part: "results", tool: "read", count: 2, tokens: 200, repeated: 100, freed: 0 },
    { part: "calls", tool: "read", count: 2 },
  ])
})

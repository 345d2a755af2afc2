import { CodexStorage } from "@treelog/agents/codex"
import { partOf } from "@treelog/session-core/adapter"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { afterEach, describe, expect, it } from "vitest"
import { TestHome } from "./home.js"
import { A, B, C, counts, entriesOf, event, file, item, type Line, meta, only, said, text } from "./rollout-lines.js"

const call = (args: object): Line =>
  item({ type: "function_call", name: "spawn_agent", call_id: "c1", arguments: JSON.stringify(args) })
const output = (value: object): Line =>
  item({ type: "function_call_output", call_id: "c1", output: JSON.stringify(value) })
const completed = (thread: string, fields: object): Line => event("item_completed", { thread_id: thread, item: fields })
const asked = { content: [{ type: "text", text: "Look at the code" }] }

const FORMS: readonly (readonly [string, readonly Line[], object])[] = [
  [
    "by its output",
    [call({ message: "Fix the key", fork_context: true }), output({ agent_id: B, status: "completed" })],
    { role: "subagent", call: "c1", title: "Fix the key" },
  ],
  [
    "by the event of the call",
    [
      call({ items: [{ type: "text", text: "Fix the key" }] }),
      completed(A, { type: "CollabAgentToolCall", id: "c1", tool: "spawn_agent", receiver_thread_ids: [B] }),
      output({ nickname: "Ohm" }),
    ],
    { role: "subagent", call: "c1", title: "Fix the key" },
  ],
  [
    "by the event of any call",
    [
      item({ type: "function_call", name: "Agent", call_id: "c1", arguments: "{}" }),
      event("collab_agent_spawn_end", { call_id: "c1", sender_thread_id: A, new_thread_id: B, prompt: "Fix the key" }),
      output({ status: "completed" }),
    ],
    { role: "subagent", call: "c1", title: "Fix the key" },
  ],
  [
    "by an activity",
    [
      call({ message: "", task_name: "look" }),
      completed(A, {
        type: "SubAgentActivity",
        kind: "started",
        id: "c1",
        agent_thread_id: B,
        agent_path: "/root/look",
      }),
      output({ task_name: "/root/look" }),
      completed(A, { type: "SubAgentActivity", kind: "completed", id: "subagent-completed-1", agent_thread_id: B }),
    ],
    { role: "subagent", call: "c1", title: "look" },
  ],
  [
    "by an activity that is an event of its own",
    [
      call({ message: "", task_name: "look" }),
      event("sub_agent_activity", { kind: "started", event_id: "c1", agent_thread_id: B, agent_path: "/root/look" }),
      output({ task_name: "/root/look" }),
      event("sub_agent_activity", { kind: "completed", event_id: "e2", agent_thread_id: B, agent_path: "/root/look" }),
    ],
    { role: "subagent", call: "c1", title: "look" },
  ],
  [
    "by what a review repeats in it",
    [
      completed(A, { type: "EnteredReviewMode", id: "r" }),
      completed(B, { type: "UserMessage", ...asked }),
      completed(B, { type: "UserMessage", ...asked }),
      said("user", "<user_action>\n  <action>review</action>\n</user_action>"),
    ],
    { role: "review", title: "Look at the code" },
  ],
]

describe("the thread that another one was started in", () => {
  for (const [how, lines, part] of FORMS)
    it(`is named ${how}, once`, () => {
      const entries = entriesOf(only(file(A, [meta(A), said("user", "Delegate"), ...lines])))
      expect(entries.flatMap((entry) => partOf(entry) ?? [])).toEqual([{ name: `${B}.jsonl`, ...part }])
      expect(
        entries.filter((entry) => entry.type === "message" && JSON.stringify(entry).includes('"user"')),
      ).toHaveLength(1)
    })
})

describe("what threads did for another one", () => {
  const homes: TestHome[] = []
  afterEach(async () => {
    for (const home of homes.splice(0)) await home.remove()
  })

  const tokens = (input: number) => ({
    input_tokens: input,
    cached_input_tokens: 0,
    output_tokens: 1,
    total_tokens: input + 1,
  })
  const thread = (id: string, answer: string, input: number, fields: object = {}): { name: string; text: string } => ({
    name: `sessions/2026/03/07/${file(id, []).name}`,
    text: text([meta(id, fields), said("user", `Ask ${answer}`), said("assistant", answer), counts(tokens(input))]),
  })
  const spawnedBy = (parent: string) => ({ source: { subagent: { thread_spawn: { parent_thread_id: parent } } } })

  async function indexed(...files: { name: string; text: string }[]) {
    const home = await TestHome.make(files)
    homes.push(home)
    const storage = new CodexStorage({ dir: home.dir, cacheDir: null })
    const index = new MemorySessionIndex(storage)
    const { failed, foreign } = await index.update()
    return { home, storage, index, failed, foreign }
  }

  it("is found, summed and listed with it, however deep, and each is read by its key", async () => {
    const { storage, index } = await indexed(
      thread(A, "obsidian", 10),
      thread(B, "zirconium", 20, spawnedBy(A)),
      thread(C, "feldspar", 40, { parent_thread_id: B, source: { subagent: "review" } }),
    )
    const listed: string[] = []
    for await (const { id = "" } of storage.list()) listed.push(id)
    expect(listed).toEqual([A])
    const { sessions } = await index.search({ terms: [{ text: "feldspar" }], roles: ["assistant"] })
    expect(sessions.map(({ session, hits }) => [session.id, hits.map(({ part }) => part?.role)])).toEqual([
      [A, ["review"]],
    ])
    expect((await index.usage({ by: "role" })).map(({ key, totals }) => [key, totals.input])).toEqual([
      ["review", 40],
      ["subagent", 20],
      ["", 10],
    ])
    expect((await index.usage({ by: "session" })).map(({ session, totals }) => [session?.id, totals.input])).toEqual([
      [A, 70],
    ])
    const alone = new MemorySessionIndex(storage)
    await alone.update({ only: "usage" })
    for (const by of ["role", "session"] as const) expect(await alone.usage({ by })).toEqual(await index.usage({ by }))
  })

  it("is that of a session of its own where the other one is gone, or where they name each other", async () => {
    const { index } = await indexed(
      thread(A, "obsidian", 10, spawnedBy(B)),
      thread(B, "zirconium", 20, spawnedBy(A)),
      thread(C, "feldspar", 40, spawnedBy("01a20000-dddd-7ddd-8ddd-dddddddddddd")),
    )
    const rows = await index.usage({ by: "session" })
    expect(rows.map(({ session, totals }) => [session?.id, totals.input])).toEqual([
      [C, 40],
      [B, 20],
      [A, 10],
    ])
  })

  it("is no session where it is empty, and costs nothing else", async () => {
    const { failed, index } = await indexed(thread(A, "obsidian", 10), {
      ...thread(B, "zirconium", 20, spawnedBy(A)),
      text: `${text([meta(B, spawnedBy(A))])}{"timestamp":"2026-03-07T14:00:01.000Z","type":"resp`,
    })
    expect(failed).toEqual([])
    const empty = await indexed(thread(A, "obsidian", 10), { ...thread(B, "zirconium", 20), text: "" })
    expect([empty.failed, empty.foreign.map((key) => key.includes(B))]).toEqual([[], [true]])
    for (const one of [index, empty.index])
      expect((await one.usage({ by: "session" })).map(({ session }) => session?.id)).toEqual([A])
  })
})

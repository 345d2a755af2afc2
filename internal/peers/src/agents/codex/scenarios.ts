import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { PIXEL } from "../model/pixel.js"
import { answer, call, ODD_IDS } from "../model/prompt-calls.js"
import { writeToolServer } from "../model/tool-server.js"
import { threadIn } from "./app-server.js"
import { scenario } from "./scenario.js"

/** Turns with calls, each by a new process. */
export const talk = scenario("talk", { sessions: ["Why is it wrong?"] }, async (codex) => {
  writeFileSync(join(codex.project, "AGENTS.md"), "Be brief.\n")
  await codex.ask("Why is it wrong?")
  await codex.ask(
    "resume",
    "--last",
    `${call("exec_command", { cmd: "echo one" })}\n${call("exec_command", { cmd: "echo two" })}`,
  )
  await codex.ask("resume", "--last", call("exec_command", { cmd: "exit 3" }))
  await codex.ask("resume", "--last", "What now?")
})

/** Killed between two calls, and while the model is asked: the call has no result in the rollout. */
export const killed = scenario("killed", { sessions: ["Hello"], unanswered: 1 }, async (codex) => {
  await codex.ask("Hello")
  const calls = [call("exec_command", { cmd: "echo quick" }), call("exec_command", { cmd: "sleep 60" })]
  await codex.kill("function_call_output", "resume", "--last", calls.join("\n"))
  await codex.ask("resume", "--last", "What was it?")
  await codex.kill("STOP hang", "resume", "--last", "Take your time\nSTOP hang")
  await codex.ask("resume", "--last", "What now?")
})

/** Killed twice without a prompt between, each time with one of the calls answered, behind a compaction. */
export const killedLater = scenario("killed-later", { sessions: ["Hello"] }, async (codex) => {
  await codex.ask("Hello")
  await codex.ask("resume", "--last", call("exec_command", { cmd: "echo zero" }))
  await codex.serving(async (server) => {
    const thread = codex.thread()
    await server.call("thread/resume", { threadId: thread })
    await server.during(1, () => server.call("thread/compact/start", { threadId: thread }))
  })
  for (const word of ["one", "two"]) {
    const calls = [`echo quick ${word}`, "sleep 60", "sleep 61"].map((cmd) => call("exec_command", { cmd }))
    await codex.kill(`\\nquick ${word}`, "resume", "--last", calls.join("\n"))
  }
  await codex.ask("resume", "--last", "What now?")
})

/** Pictures in results, a patch, tools of MCP, one that fails, and one that is not there. */
export const tools = scenario(
  "tools",
  { sessions: ["Hello"] },
  async (codex) => {
    writeFileSync(join(codex.project, "pixel.png"), Buffer.from(PIXEL, "base64"))
    writeFileSync(join(codex.project, "one.txt"), "one\n")
    const input = "*** Begin Patch\n*** Update File: one.txt\n@@\n-one\n+two\n*** End Patch\n"
    const patch = { type: "custom_tool_call", call_id: "call_patch", name: "apply_patch", input }
    await codex.ask("Hello")
    await codex.ask("resume", "--last", call("view_image", { path: join(codex.project, "pixel.png") }))
    await codex.ask("resume", "--last", answer(patch))
    await codex.ask("resume", "--last", `${ODD_IDS}\n${call("mcp__local/look", {})}\n${call("mcp__local/fail", {})}`)
    await codex.ask("resume", "--last", call("no_such_tool", {}))
    await codex.ask("resume", "--last", "What now?")
  },
  ({ home }) =>
    `mcp_servers.local = { command = "node", args = ["${writeToolServer(home)}"], default_tools_approval_mode = "approve" }`,
)

/** Patches that add a file, change it in one place and in two, give it another name and delete it, change two files, and one that fails. */
export const edits = scenario(
  "edits",
  { sessions: ["Hello"] },
  async (codex) => {
    const patches = [
      ["*** Add File: sum.ts", "+const a = 1", "+const b = 2", "+const c = 3", "+export const sum = a + b + c"],
      ["*** Update File: sum.ts", "@@", " const a = 1", "-const b = 2", "+const b = 4", " const c = 3"],
      ["*** Update File: sum.ts", "@@", "-const a = 1", "+const a = 0", "@@", "-const c = 3", "+const c = 5"],
      ["*** Add File: two.ts", "+two", "*** Update File: sum.ts", "@@", "-const a = 0", "+const a = 7"],
      ["*** Update File: sum.ts", "*** Move to: total.ts", "@@", "-const a = 7", "+const a = 8"],
      ["*** Delete File: total.ts"],
      ["*** Update File: none.ts", "@@", "-one", "+two"],
    ]
    const ask = (...args: readonly string[]) => codex.ask("-m", "gpt-5.5", ...args)
    await ask("Hello")
    for (const [at, lines] of patches.entries()) {
      const input = ["*** Begin Patch", ...lines, "*** End Patch"].join("\n")
      await ask(
        "resume",
        "--last",
        answer({ type: "custom_tool_call", call_id: `call_${at}`, name: "apply_patch", input }),
      )
    }
    await ask("resume", "--last", "What now?")
  },
  () => 'sandbox_mode = "danger-full-access"',
)

/** Models that take turns, of which each gets the reasoning of the other, and an output that is too long for them. */
export const models = scenario("models", { sessions: ["Hello"] }, async (codex) => {
  await codex.ask("Hello")
  await codex.ask("-m", "gpt-5.1-codex", "resume", "--last", call("exec_command", { cmd: "seq 1 20000" }))
  await codex.ask("resume", "--last", "What now?")
})

/** A compaction, twice, with an image and a call before it. */
export const compaction = scenario("compaction", { sessions: ["What is it?"] }, (codex) =>
  codex.serving(async (server, thread) => {
    const image = { type: "image", url: `data:image/png;base64,${PIXEL}` }
    await server.turn(thread, [{ type: "text", text: "What is it?", text_elements: [] }, image])
    await server.turn(thread, call("exec_command", { cmd: "echo one" }))
    await server.during(1, () => server.call("thread/compact/start", { threadId: thread }))
    await server.turn(thread, "And then?")
    await server.during(1, () => server.call("thread/compact/start", { threadId: thread }))
    await server.turn(thread, "What now?")
  }),
)

/** Turns that are taken back, and a fork. */
export const goingBack = scenario("going-back", { sessions: ["One", "One"] }, (codex) =>
  codex.serving(async (server, thread) => {
    await server.turn(thread, "One")
    const second = await server.turn(thread, call("exec_command", { cmd: "echo two" }))
    await server.turn(thread, "Three")
    const fork = threadIn(await server.call("thread/fork", { threadId: thread }))
    await server.turn(fork, "Four")
    await server.call("thread/revert", { threadId: thread, beforeTurnId: second })
    await server.turn(thread, "Five")
  }),
)

/** A sub-agent that goes on from the conversation, and one that has one of its own. */
export const agents = scenario(
  "agents",
  {
    sessions: [call("multi_agent_v1/spawn_agent", { message: "Look around", fork_context: true })],
    parts: ["subagent", "subagent", "subagent"],
  },
  (codex) =>
    codex.serving(async (server, thread) => {
      await server.turn(thread, call("multi_agent_v1/spawn_agent", { message: "Look around", fork_context: true }))
      await codex.settled(2)
      const inner = call("multi_agent_v1/spawn_agent", { message: call("exec_command", { cmd: "echo deep" }) })
      await server.turn(thread, call("multi_agent_v1/spawn_agent", { message: inner }))
      await codex.settled(4)
      await server.turn(thread, "What now?")
    }),
  () => "agents.max_depth = 3",
)

/** A sub-agent of a team. Its answer is waited for: one that comes while the model is asked breaks off that response, whose usage is nowhere. */
export const team = scenario(
  "team",
  { sessions: ["Split the work"], parts: ["subagent"] },
  (codex) =>
    codex.serving(async (server, thread) => {
      await server.turn(thread, "Split the work")
      const spawn = call("collaboration/spawn_agent", { message: "Look around", task_name: "look" })
      await server.turn(thread, `${spawn}\n${call("collaboration/wait_agent", { timeout_ms: 20_000 })}`)
      await server.turn(thread, "What now?")
    }),
  () => "features.multi_agent_v2 = true",
)

/** A review, which runs in a thread of its own. */
export const review = scenario("review", { sessions: ["First"], parts: ["review"] }, (codex) =>
  codex.serving(async (server, thread) => {
    await server.turn(thread, "First")
    const target = { type: "custom", instructions: "Look at the code" }
    await server.during(1, () => server.call("review/start", { threadId: thread, target, delivery: "inline" }))
    await server.turn(thread, "What now?")
  }),
)

/** A goal, a command of the user, and a turn that is broken off and one that is steered. */
export const goal = scenario("goal", { sessions: ["First"] }, (codex) =>
  codex.serving(async (server, thread) => {
    await server.turn(thread, "First")
    await server.during(1, () => server.call("thread/shellCommand", { threadId: thread, command: "echo by hand" }))
    await server.during(1, () => server.call("thread/goal/set", { threadId: thread, objective: "Make it right" }))
    await server.call("thread/goal/clear", { threadId: thread })
    await server.turn(thread, "What now?")
  }),
)

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { call } from "../model/prompt-calls.js"
import { threadIn } from "./app-server.js"
import { scenario } from "./scenario.js"

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

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

/** Killed twice without a prompt between, each time with one of two calls answered, behind a compaction too; the last call is lost until it is resumed. */
export const killedLater = scenario("killed-later", { sessions: ["Hello"] }, async (codex) => {
  await codex.ask("Hello")
  await codex.ask("resume", "--last", call("exec_command", { cmd: "echo zero" }))
  await codex.serving(async (server) => {
    const thread = codex.thread()
    await server.call("thread/resume", { threadId: thread })
    await server.during(1, () => server.call("thread/compact/start", { threadId: thread }))
  })
  for (const word of ["one", "two"]) {
    const calls = [call("exec_command", { cmd: "sleep 60" }), call("exec_command", { cmd: `echo quick ${word}` })]
    await codex.kill(`\\nquick ${word}`, "resume", "--last", calls.join("\n"))
  }
  await codex.ask("resume", "--last", "What now?")
})

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
  "agents.max_depth = 3",
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
  "features.multi_agent_v2 = true",
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

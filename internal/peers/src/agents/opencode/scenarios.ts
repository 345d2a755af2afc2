import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openAgent } from "@treelog/agents"
import { loadDriver } from "@treelog/index-sqlite"
import type { Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import type { AgentPlace } from "../frame/run-agent.js"
import { rowsIn } from "../frame/unknown-fields.js"
import type { Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"
import { PIXEL } from "../model/pixel.js"
import { answer, call, HANG, NO_CALLS, ODD_IDS, said, thought } from "../model/prompt-calls.js"
import { writeToolServer } from "../model/tool-server.js"
import { KNOWN_FIELDS } from "./known-fields.js"
import { Opencode, type Program } from "./opencode.js"

const TABLES = ["session", "message", "part"]

/** What a scenario has to work with. */
interface Work {
  readonly program: Program
  readonly opencode: Opencode
  readonly place: AgentPlace
  readonly model: ModelServer
  /** Starts opencode again, once it was killed. */
  again(): Promise<Opencode>
}

/**
 * A scenario that drives opencode, after which all its sessions are read while it runs.
 * @param prompts the first ones, as lists show them
 * @param settings more of `opencode.json`
 */
function scenario(
  name: string,
  prompts: readonly string[],
  drive: (work: Work) => Promise<void>,
  settings: (place: AgentPlace) => Json = () => ({}),
): (program: Program) => Scenario {
  return (program) => ({
    name,
    async run(place, model) {
      writeFileSync(join(place.project, "one.txt"), "one\n")
      const start = (): Promise<Opencode> => Opencode.start(program, place, model, settings(place))
      let opencode = await start()
      const again = async (): Promise<Opencode> => {
        opencode = await start()
        return opencode
      }
      try {
        await drive({ program, opencode, place, model, again })
        const storage = await openAgent(program, { env: { HOME: place.home }, cacheDir: null, loadDriver })
        return await checkRecords(storage, {
          ...{ prompts, answers: opencode.answers },
          sent: (id) => opencode.sent.get(id),
          fields: [rowsIn(join(place.home, ".local/share", program, `${program}.db`), TABLES), KNOWN_FIELDS],
        })
      } finally {
        await opencode.end()
      }
    },
  })
}

const bash = (command: string): string => call("bash", { command, description: "x" })

const withTools = ({ home }: AgentPlace): Json => ({
  mcp: { local: { type: "local", command: [process.execPath, writeToolServer(home)] } },
})

/** Calls that succeed and fail, a sub-agent, and pictures. */
const talk = scenario(
  "talk",
  ["Why is it wrong?"],
  async ({ opencode, place: { project } }) => {
    const session = await opencode.session()
    const file = join(project, "one.txt")
    await opencode.prompt(session, "Why is it wrong?")
    await opencode.prompt(session, `${bash("echo one")}\n${call("read", { filePath: file })}`)
    await opencode.prompt(session, call("edit", { filePath: file, oldString: "one", newString: "two" }))
    await opencode.prompt(session, call("read", { filePath: join(project, "none.txt") }))
    await opencode.prompt(
      session,
      call("task", { description: "Find it", prompt: "Find the thing", subagent_type: "general" }),
    )
    const url = `data:image/png;base64,${PIXEL}`
    const files = [{ type: "file", mime: "image/png", filename: "pixel.png", url }]
    await opencode.prompt(session, "What is it?", { files })
    await opencode.prompt(session, `${ODD_IDS}\n${call("local_look", {})}\n${bash("echo one")}`)
    await opencode.prompt(session, "What now?")
  },
  withTools,
)

/** Thoughts between texts and redacted ones, of several models and APIs; tools of MCP with pictures; long outputs. */
const models = scenario(
  "models",
  ["Why is it wrong?", "Why is it wrong?"],
  async ({ opencode, place }) => {
    const redacted = { type: "redacted_thinking", data: "cmVk" }
    const mixed = answer(redacted, thought("one"), said("A"), thought("two"), said("B"))
    const summary = ["One", "Two"].map((text) => ({ type: "summary_text", text }))
    const reasoning = answer({ type: "reasoning", id: "rs_x", summary, encrypted_content: "ZW5j" })
    writeFileSync(join(place.project, "long.txt"), "0123456789 abcdef\n".repeat(6_000))
    for (const model of ["local/local-2", "chat/chat-1"]) {
      const session = await opencode.session()
      await opencode.prompt(session, "Why is it wrong?")
      await opencode.prompt(session, `${mixed}\n${bash("seq 1 20000")}\n${call("local_look", {})}`)
      await opencode.prompt(session, call("read", { filePath: join(place.project, "long.txt") }))
      await opencode.prompt(session, `${reasoning}\n${call("local_look", {})}`, { model: "responses/responses-1" })
      await opencode.prompt(session, "And?", { model: "responses/responses-1" })
      await opencode.prompt(session, `${call("local_look", {})}\n${bash("echo one")}`, { model })
      await opencode.prompt(session, "What now?", { model })
    }
  },
  withTools,
)

/** Two compactions with calls before and behind them, of which the second keeps what the first one stood behind. */
const compaction = scenario(
  "compaction",
  ["One"],
  async ({ opencode }) => {
    const session = await opencode.session()
    const compact = async (): Promise<void> => {
      await opencode.post(`/session/${session}/summarize`, { providerID: "local", modelID: "local-1" })
      opencode.answers += 1
    }
    await opencode.prompt(session, "One")
    for (const text of ["Two", "Three", "Four"]) await opencode.prompt(session, bash(`echo ${text}`))
    await compact()
    await opencode.prompt(session, bash("echo Five"))
    await compact()
    await opencode.prompt(session, bash("echo Six"))
    await opencode.prompt(session, "What now?")
  },
  () => ({ compaction: { preserve_recent_tokens: 700 } }),
)

/** A compaction that keeps nothing, a failed one, and outputs that were cleared. */
const cleared = scenario(
  "cleared",
  ["One"],
  async ({ opencode, place }) => {
    writeFileSync(join(place.project, "long.txt"), `${"0123456789".repeat(150)}\n`.repeat(40))
    const session = await opencode.session()
    await opencode.prompt(session, "One")
    await opencode.post(`/session/${session}/summarize`, { providerID: "local", modelID: "local-1" })
    opencode.answers += 1
    for (let count = 0; count < 6; count++)
      await opencode.prompt(session, call("read", { filePath: join(place.project, "long.txt"), offset: count }))
    for (const text of ["Two", "Three", "What now?"]) await opencode.prompt(session, text)
  },
  () => ({ compaction: { prune: true } }),
)

/** Commands of the user, in a shell and by name, one that a sub-agent does, and attached files and folders. */
const commands = scenario(
  "commands",
  ["Why is it wrong?"],
  async ({ opencode, place: { project } }) => {
    const session = await opencode.session()
    await opencode.prompt(session, "Why is it wrong?")
    await opencode.post(`/session/${session}/shell`, { agent: "build", command: "echo by hand" })
    await opencode.ask(session, "command", { command: "greet", arguments: "Ada" }, "Greet Ada")
    await opencode.ask(session, "command", { command: "find", arguments: "it" }, "Summarize the task tool output")
    const attached = (mime: string, name: string) => ({
      ...{ type: "file", mime, filename: name, url: `file://${join(project, name)}` },
    })
    writeFileSync(join(project, "pixel.png"), Buffer.from(PIXEL, "base64"))
    const files = [
      attached("text/plain", "one.txt"),
      attached("application/x-directory", ""),
      attached("image/png", "pixel.png"),
    ]
    await opencode.prompt(session, "What is in them?", { files })
    await opencode.prompt(session, "What now?")
  },
  () => ({
    command: {
      greet: { template: "Greet $ARGUMENTS" },
      find: { template: "Find $1", subtask: true, agent: "general" },
    },
  }),
)

/** A call that the user interrupts, and a prompt after it. */
const interruption = scenario("interruption", ["One"], async ({ opencode }) => {
  const session = await opencode.session()
  await opencode.prompt(session, "One")
  await opencode.interrupt(session, bash("sleep 50"))
  await opencode.prompt(session, "Go on")
})

/** Kills between two calls, and in the answer to a result; each time another process goes on. */
const killed = scenario("killed", ["One"], async ({ program, opencode, place, model, again }) => {
  const session = await opencode.session()
  const started = join(place.project, "started")
  await opencode.prompt(session, "One")
  await opencode.killIn(session, `${bash("echo one")}\n${bash("touch started; sleep 50")}`, () => existsSync(started))
  const second = await again()
  second.answers = opencode.answers
  await second.prompt(session, `Two\n${NO_CALLS}`)
  const before = model.requests.length
  await second.killIn(session, bash(`echo ${HANG}`), () => model.requests.length > before + 1)
  const third = await again()
  third.answers = second.answers
  // What the reply that called used is stored. Kilo deletes what is left of a reply.
  if (program === "opencode") third.answers += 1
  await third.prompt(session, `Four\n${NO_CALLS}`)
})

/** Kills behind a compaction, and in a call of a sub-agent. */
const killedLater = scenario("killed-later", [bash("echo zero")], async ({ opencode, place, again }) => {
  const session = await opencode.session()
  let server = opencode
  const kill = async (prompt: string, name: string): Promise<void> => {
    await server.killIn(session, prompt, () => existsSync(join(place.project, name)))
    const { answers } = server
    server = await again()
    server.answers = answers
  }
  const calls = (name: string): string => `${bash("echo one")}\n${bash(`touch ${name}; sleep 50`)}`
  await server.prompt(session, bash("echo zero"))
  await server.post(`/session/${session}/summarize`, { providerID: "local", modelID: "local-1" })
  server.answers += 1
  await kill(calls("first"), "first")
  await server.prompt(session, `Two\n${NO_CALLS}`)
  await kill(call("task", { description: "Find it", prompt: calls("second"), subagent_type: "general" }), "second")
  await server.prompt(session, `Three\n${NO_CALLS}`)
})

/** A fork, a step back that is gone on from, and one that is not. */
const goingBack = scenario("going-back", ["One", "One", "Kept"], async ({ opencode }) => {
  const session = await opencode.session()
  await opencode.prompt(session, "One")
  const fork = String((await opencode.post(`/session/${session}/fork`)).id)
  await opencode.prompt(fork, "Otherwise")
  const messageID = await opencode.prompt(session, "Taken back")
  await opencode.post(`/session/${session}/revert`, { messageID })
  // opencode deletes what was taken back.
  opencode.answers -= 1
  await opencode.prompt(session, "What now?")
  const other = await opencode.session()
  await opencode.prompt(other, "Kept")
  const kept = opencode.sent.get(other) ?? []
  const last = await opencode.prompt(other, "Also taken back")
  await opencode.post(`/session/${other}/revert`, { messageID: last })
  opencode.sent.set(other, kept)
})

/** Scenarios of opencode, or of Kilo, which is made of it. */
export function scenariosOf(program: Program): Scenario[] {
  return [talk, models, commands, compaction, cleared, interruption, killed, killedLater, goingBack].map((scenario) =>
    scenario(program),
  )
}

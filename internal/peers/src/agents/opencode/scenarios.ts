import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { openAgent } from "@treelog/agents"
import { loadDriver } from "@treelog/index-sqlite"
import type { Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import { blocksOf } from "../model/blocks.js"
import { PIXEL } from "../model/pixel.js"
import { call } from "../model/prompt-calls.js"
import { Opencode, type Program } from "./opencode.js"

const TARGET = { provider: "local", model: "local-1" }

/** A scenario that drives opencode, after which all its sessions are read while it runs. @param prompts the first ones, as lists show them */
function scenario(
  name: string,
  prompts: readonly string[],
  drive: (opencode: Opencode, project: string) => Promise<void>,
): (program: Program) => Scenario {
  return (program) => ({
    name,
    async run(place, model) {
      writeFileSync(join(place.project, "one.txt"), "one\n")
      const opencode = await Opencode.start(program, place, model)
      try {
        await drive(opencode, place.project)
        const storage = await openAgent(program, { env: { HOME: place.home }, cacheDir: null, loadDriver })
        return await checkRecords(storage, {
          ...{ prompts, answers: opencode.answers, target: TARGET },
          sent: (id) => opencode.sent.get(id),
        })
      } finally {
        await opencode.end()
      }
    },
  })
}

/** Calls that succeed and fail, a sub-agent, and a picture. */
const talk = scenario("talk", ["Why is it wrong?"], async (opencode, project) => {
  const session = await opencode.session()
  const file = join(project, "one.txt")
  await opencode.prompt(session, "Why is it wrong?")
  await opencode.prompt(
    session,
    `${call("bash", { command: "echo one", description: "x" })}\n${call("read", { filePath: file })}`,
  )
  await opencode.prompt(session, call("edit", { filePath: file, oldString: "one", newString: "two" }))
  await opencode.prompt(session, call("read", { filePath: join(project, "none.txt") }))
  await opencode.prompt(
    session,
    call("task", { description: "Find it", prompt: "Find the thing", subagent_type: "general" }),
  )
  const url = `data:image/png;base64,${PIXEL}`
  await opencode.prompt(session, "What is it?", [{ type: "file", mime: "image/png", filename: "pixel.png", url }])
  await opencode.prompt(session, "What now?")
})

/**
 * A compaction, and a prompt after it. opencode sends the summary as the answer to a question, with its thinking; treelog sends it in words of its
 * own, as the README of the reader says.
 */
const compaction = scenario("compaction", ["One"], async (opencode) => {
  const session = await opencode.session()
  for (const text of ["One", "Two", "Three"]) await opencode.prompt(session, text)
  await opencode.post(`/session/${session}/summarize`, { providerID: "local", modelID: "local-1" })
  opencode.answers += 1
  await opencode.prompt(session, "What now?")
  const [, summary, ...rest] = opencode.sent.get(session) ?? []
  const text = blocksOf(summary?.content).filter(({ type }) => type === "text")
  opencode.sent.set(session, [{ role: "user", content: text }, ...rest])
})

/** A call that the user interrupts, and a prompt after it. */
const interruption = scenario("interruption", ["One"], async (opencode) => {
  const session = await opencode.session()
  await opencode.prompt(session, "One")
  await opencode.interrupt(session, call("bash", { command: "sleep 50", description: "x" }))
  await opencode.prompt(session, "Go on")
})

/** A fork, a step back that is gone on from, and one that is not. */
const goingBack = scenario("going-back", ["One", "One", "Kept"], async (opencode) => {
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
  return [talk, compaction, interruption, goingBack].map((scenario) => scenario(program))
}

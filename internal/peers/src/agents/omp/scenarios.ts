import type { Scenario } from "../frame/agent.js"
import { blocksOf, type Json } from "../model/blocks.js"
import { PIXEL } from "../model/pixel.js"
import { call } from "../model/prompt-calls.js"
import type { Pi } from "../pi/pi.js"
import { compactTwice, scenario as piScenario } from "../pi/scenarios.js"

function scenario(name: string, prompts: readonly string[], drive: (omp: Pi) => Promise<void>): Scenario {
  return piScenario(name, prompts, drive, "omp", asStored)
}

/** Calls of tools, a picture, a command of the user, and a name. */
export const talk = scenario("talk", ["Why is it wrong?"], async (omp) => {
  await omp.prompt("Why is it wrong?")
  await omp.prompt(`${call("bash", { command: "echo one" })}\n${call("read", { path: "one.txt" })}`)
  await omp.prompt(call("write", { path: "two.txt", content: "two\n" }))
  await omp.prompt(call("bash", { command: "exit 3" }))
  await omp.request("bash", { command: "echo by hand" })
  await omp.request("set_session_name", { name: "A name" })
  await omp.prompt("What is it?", { images: [{ type: "image", data: PIXEL, mimeType: "image/png" }] })
  await omp.prompt("What now?")
})

export const compaction = scenario("compaction", ["One"], compactTwice)

/** A branch, and a session that is gone on with. */
export const goingBack = scenario("going-back", ["One", "One"], async (omp) => {
  await omp.prompt("One")
  await omp.prompt(call("bash", { command: "echo one" }))
  await omp.prompt("Three")
  const { sessionFile } = await omp.request("get_state")
  const { messages } = await omp.request("get_branch_messages")
  await omp.request("branch", { entryId: (messages as Json[]).at(-1)?.entryId })
  await omp.prompt("Otherwise")
  await omp.request("switch_session", { sessionPath: sessionFile })
  await omp.prompt("What now?")
})

/** An interrupted call, and a sub-agent. */
export const atWork = scenario("at-work", ["One", ""], async (omp) => {
  await omp.prompt("One")
  await omp.atWork(call("bash", { command: "sleep 50" }), "abort")
  await omp.prompt("Go on")
  await omp.prompt(
    call("task", { context: "A test", tasks: [{ name: "Find", agent: "task", task: "Find the thing" }] }),
  )
  await resume(omp)
  await omp.prompt("What now?")
})

/** A file that a prompt names, and a message while the agent works. */
export const asides = scenario("asides", ["What is in @one.txt?", ""], async (omp) => {
  await omp.prompt("What is in @one.txt?")
  await omp.atWork(call("bash", { command: "sleep 3" }), "steer", { message: "Be quick" })
  await resume(omp)
  await omp.prompt("What now?")
})

/** A session that is cleared, before and after a compaction. */
export const cleared = scenario("cleared", ["One", ""], async (omp) => {
  await omp.prompt("One")
  await omp.request("prompt", { message: "/clear" })
  await omp.prompt(call("read", { path: "one.txt" }))
  await omp.prompt("Two")
  await omp.request("compact")
  await omp.prompt("Three")
  await resume(omp)
  await omp.prompt("What now?")
})

/** Has omp read the session from its file, after another one, which stays empty. */
async function resume(omp: Pi): Promise<void> {
  const { sessionFile } = await omp.request("get_state")
  await omp.request("new_session")
  await omp.request("switch_session", { sessionPath: sessionFile })
}

/** What omp puts before the first prompt of a request, and does not store. */
const REMINDER = /^<system-reminder>\nToday: /
/** Its words around a summary. */
const SUMMARY =
  /^(?:Prior model work\/tool state available\.\nMUST build on prior work; NEVER duplicate prior work\.|Branch-return summary:)\n\n<summary>\n([\s\S]*)\n<\/summary>$/

/** Its words before what the user says while it works. */
const INTERJECTION = /^<system-notice>\nUser interjection [^\n]*\n<\/system-notice>\n/

/**
 * A message that omp sent without what is only sent: the day, words around summaries and before what is said while it works, `_` before
 * names of tools. Files that a prompt names are in the tags that treelog sends them in.
 */
function asStored({ role, content }: Json): Json {
  return { role, content: blocksOf(content).flatMap(storedBlock) }
}

function storedBlock({ text, name, ...block }: Json): Json[] {
  if (typeof text === "string") {
    if (REMINDER.test(text)) return []
    if (text.startsWith("<file path=")) return [{ ...block, text: `<system-reminder>\n${text}\n</system-reminder>` }]
    return [{ ...block, text: SUMMARY.exec(text)?.[1] ?? text.replace(INTERJECTION, "") }]
  }
  return [typeof name === "string" ? { ...block, name: name.replace(/^_/, "") } : block]
}

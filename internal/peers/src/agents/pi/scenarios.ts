import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { FileSessionStorage } from "@treelog/storage-fs"
import type { Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import type { Json } from "../model/blocks.js"
import { PIXEL } from "../model/pixel.js"
import { call, ODD_IDS } from "../model/prompt-calls.js"
import { Pi, type Program } from "./pi.js"

/** A scenario that drives pi or omp, after which all its sessions are read. @param prompts the first prompts that a list shows */
export function scenario(
  name: string,
  prompts: readonly string[],
  drive: (pi: Pi) => Promise<void>,
  program: Program = "pi",
  asStored = (message: Json): Json => message,
): Scenario {
  return {
    name,
    async run(place, model) {
      writeFileSync(join(place.project, "AGENTS.md"), "Be brief.\n")
      writeFileSync(join(place.project, "one.txt"), "one\n")
      writeFileSync(join(place.project, "pixel.png"), Buffer.from(PIXEL, "base64"))
      const pi = new Pi(program, place, model)
      try {
        await drive(pi)
      } finally {
        await pi.end()
      }
      return checkRecords(new FileSessionStorage({ agentDir: pi.folder, preset: program, cacheDir: null }), {
        prompts,
        sent: (id) => ((pi.sent.get(id)?.messages ?? []) as Json[]).map(asStored),
        // A compaction can take two requests, whose usage pi adds up and omp does not store.
        answers: model.requests.filter(({ tools }) => program === "pi" || (tools as Json[] | undefined)?.length).length,
        target: { provider: "local", model: "local-1" },
      })
    },
  }
}

/** Calls of each tool, a picture, a command of the user, and a name. */
export const talk = scenario("talk", ["Why is it wrong?"], async (pi) => {
  await pi.prompt("Why is it wrong?")
  await pi.prompt(`${call("bash", { command: "echo one" })}\n${call("read", { path: "one.txt" })}`)
  await pi.prompt(call("edit", { path: "one.txt", edits: [{ oldText: "one", newText: "two" }] }))
  await pi.prompt(call("bash", { command: "exit 3" }))
  await pi.prompt(`${ODD_IDS}\n${call("read", { path: "pixel.png" })}`)
  await pi.request("bash", { command: "echo by hand" })
  await pi.request("set_session_name", { name: "A name" })
  await pi.prompt("What is it?", { images: [{ type: "image", data: PIXEL, mimeType: "image/png" }] })
  await pi.prompt("What now?")
})

export const compaction = scenario("compaction", ["One"], compactTwice)

/** Two compactions, with calls before and between them. */
export async function compactTwice(pi: Pi): Promise<void> {
  await pi.prompt("One")
  await pi.prompt(call("bash", { command: "echo one" }))
  await pi.prompt("Two")
  await pi.request("compact")
  await pi.prompt(call("read", { path: "one.txt" }))
  await pi.prompt("Three")
  await pi.request("compact", { customInstructions: "Be brief" })
  await pi.prompt("What now?")
}

/** A fork, a copy, and a session that is gone on with. */
export const goingBack = scenario("going-back", ["One", "One", "One"], async (pi) => {
  await pi.prompt("One")
  await pi.prompt(call("bash", { command: "echo one" }))
  await pi.prompt("Three")
  const { sessionFile } = await pi.request("get_state")
  const { messages } = await pi.request("get_fork_messages")
  await pi.request("fork", { entryId: (messages as Json[]).at(-1)?.entryId })
  await pi.prompt("Otherwise")
  await pi.request("clone")
  await pi.prompt("In the copy")
  await pi.request("switch_session", { sessionPath: sessionFile })
  await pi.prompt("What now?")
})

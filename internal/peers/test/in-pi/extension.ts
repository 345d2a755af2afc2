// An extension of pi: the fake model, and commands for what only extensions may ask of a session.

import { writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { getApiProvider } from "@earendil-works/pi-ai"
import type { ExtensionAPI, ExtensionCommandContext, SessionEntry } from "@earendil-works/pi-coding-agent"
import { PROVIDER, registerFakeModel } from "./fake-model.js"

export default function (pi: ExtensionAPI): void {
  const models = registerFakeModel().models.map(({ id, name, reasoning, input, cost, contextWindow, maxTokens }) => {
    return { id, name, reasoning, input, cost, contextWindow, maxTokens }
  })
  // pi forgets what pi-ai registered when it lists its models anew; it remembers this.
  const streamSimple = getApiProvider(PROVIDER)?.streamSimple
  const config = { baseUrl: "http://localhost:0", apiKey: "none", api: PROVIDER, models }
  pi.registerProvider(PROVIDER, { ...config, ...(streamSimple && { streamSimple }) })

  // Tells the test which session manager it is.
  pi.on("session_start", (_, { sessionManager }) => {
    writeFileSync(join(homedir(), "keeper"), "flushSync" in sessionManager ? "treelog" : "pi")
  })

  /** A command whose argument is the number of a message; a word behind it is free. */
  const command = (
    name: string,
    run: (entry: SessionEntry, word: string, context: ExtensionCommandContext) => Promise<void> | void,
  ) =>
    pi.registerCommand(name, {
      description: `${name} <number of a message> <word>`,
      handler: async (text, context) => {
        const [at = "", word = ""] = text.split(" ")
        const entry = context.sessionManager.getEntries().filter(({ type }) => type === "message")[Number(at)]
        if (!entry) throw new Error(`There is no message ${at}.`)
        await run(entry, word, context)
        context.ui.notify(`${name} is done`)
      },
    })
  command("mark", (entry, word) => pi.setLabel(entry.id, word === "" ? undefined : word))
  command("go", async (entry, _, context) => void (await context.navigateTree(entry.id)))
  command("summarize-and-go", async (entry, label, context) => {
    await context.navigateTree(entry.id, { summarize: true, ...(label && { label }) })
  })
  command("note", (entry, word) => {
    pi.appendEntry("note", { about: entry.type, word })
    pi.sendMessage({ customType: "note", content: `A note: ${word}`, display: true, details: { word } })
  })
}

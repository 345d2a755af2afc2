import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { offline } from "../../copilot/offline.js"
import type { Block } from "../../frame/compare-blocks.js"
import { AgentInTerminal } from "../../frame/in-terminal.js"
import { runAgent } from "../../frame/run-agent.js"
import type { Json } from "../../model/blocks.js"
import { blocksOfMessages } from "../said-blocks.js"
import type { Target } from "../target.js"

export const copilot: Target = {
  agent: "copilot",
  program: "copilot",
  own: /^Attached image$/,
  start(place, model) {
    const local = offline(place, model)
    const dir = join(place.home, ".copilot")
    mkdirSync(dir, { recursive: true })
    return {
      dir,
      hasIds: false,
      async listed() {
        const terminal = new AgentInTerminal(local, "copilot", [])
        try {
          await terminal.shows("Do you trust")
          terminal.press("Enter")
          await terminal.shows("/ commands")
          await terminal.enter("/resume", "list sessions", () => terminal.lines().join("\n").includes("Modified"))
          return terminal.lines()
        } finally {
          await terminal.close()
        }
      },
      resume: (id, prompt) => runAgent(local, "copilot", [`--resume=${id}`, "-p", prompt, "--allow-all-tools"]),
      sent: () => blocksOfMessages((model.requests.at(-1)?.messages ?? []) as Json[]).map(withoutWords),
      asSent: (block) => (block.result === undefined ? [block] : [{ ...block, images: 0 }]),
    }
  },
}

/** What Copilot CLI puts before each prompt, and around a summary. It sends no pictures of results. */
const WORDS =
  /^<current_datetime>[^<]*<\/current_datetime>|^Some of the conversation history has been summarized[\s\S]*<summary>|<\/summary>$/g

function withoutWords(block: Block): Block {
  return typeof block.text === "string" ? { ...block, text: block.text.replaceAll(WORDS, "").trim() } : block
}

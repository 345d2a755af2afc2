import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { offline } from "../../copilot/offline.js"
import { ownListOf } from "../../copilot/own-list.js"
import { runAgent } from "../../frame/run-agent.js"
import type { Json } from "../../model/blocks.js"
import { requestWith } from "../../model/model-server.js"
import { blocksOfMessages, callsLast, withImageNote } from "../said-blocks.js"
import type { Target } from "../target.js"

export const copilot: Target = {
  agent: "copilot",
  program: "copilot",
  own: /^Attached image$/,
  words:
    /^<current_datetime>[^<]*<\/current_datetime>|^Some of the conversation history has been summarized[\s\S]*<summary>|(?:\s*<\/summary>)+$/g,
  // Pictures of results are for no model.
  asKept: (blocks) =>
    callsLast(blocks, true).map((block) =>
      block.images === undefined
        ? block
        : { ...withImageNote(block, "Copilot sends no pictures of results"), images: 0 },
    ),
  start(place, model) {
    const local = offline(place, model)
    const dir = join(place.home, ".copilot")
    mkdirSync(dir, { recursive: true })
    return {
      dir,
      hasIds: false,
      listed: () => ownListOf(local),
      resume: (id, prompt) => runAgent(local, "copilot", [`--resume=${id}`, "-p", prompt, "--allow-all-tools"]),
      sent: (prompt) => blocksOfMessages((requestWith(model, prompt).messages ?? []) as Json[]),
    }
  },
}

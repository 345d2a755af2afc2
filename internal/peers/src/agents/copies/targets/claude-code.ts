import { Claude } from "../../claude-code/claude.js"
import type { Json } from "../../model/blocks.js"
import { type ModelServer, requestWith } from "../../model/model-server.js"
import { blocksOfMessages, callsLast, withImageNote } from "../said-blocks.js"
import type { StartedTarget, Target } from "../target.js"

export const claudeCode: Target = {
  agent: "claude-code",
  program: "claude",
  // The second stands for the answer that a prompt before its own never got.
  own: /^(?:<system-reminder>|No response requested\.$)/,
  // The API takes no pictures of a call that failed.
  asKept: (blocks) =>
    blocks.map((block) => (block.isError === true ? withImageNote(block, "not sent with a call that failed") : block)),
  asSent: (blocks) => callsLast(blocks).map((block) => (block.isError === true ? { ...block, images: 0 } : block)),
  start: (place, model) => startClaude(new Claude(place, model), model),
}

export function startClaude(claude: Claude, model: ModelServer): StartedTarget {
  return {
    dir: claude.folder,
    hasIds: false,
    async listed() {
      const terminal = claude.inTerminal("--resume")
      try {
        await terminal.shows(/ago|now/)
        return terminal.lines()
      } finally {
        await terminal.close()
      }
    },
    resume: (id, prompt) => claude.ask(prompt, "--resume", id),
    sent(prompt) {
      const messages = (requestWith(model, prompt).messages ?? []) as Json[]
      return blocksOfMessages(messages.filter(({ role }) => role !== "system"))
    },
  }
}

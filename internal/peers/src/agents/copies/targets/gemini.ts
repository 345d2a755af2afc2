import { join } from "node:path"
import type { Block } from "../../frame/compare-blocks.js"
import { runAgent } from "../../frame/run-agent.js"
import { ARGS, prepared } from "../../gemini/prepared.js"
import type { Json } from "../../model/blocks.js"
import { blocksOfContents } from "../said-blocks.js"
import type { Target } from "../target.js"

export const gemini: Target = {
  agent: "gemini",
  program: "gemini",
  own: /^<session_context>/,
  start(place, model) {
    const local = prepared(place, model)
    return {
      dir: join(place.home, ".gemini"),
      hasIds: true,
      listed: async () => (await runAgent(local, "gemini", [...ARGS, "--list-sessions"])).split("\n"),
      resume: (id, prompt) => runAgent(local, "gemini", [...ARGS, "--resume", id, "-p", prompt]),
      sent: () => blocksOfContents((model.requests.at(-1)?.contents ?? []) as Json[]),
      asSent,
    }
  },
}

/** Gemini CLI sends the pictures of a result behind it, and leaves out what looks like one of its commands, unless a word stands before it. */
function asSent(block: Block): readonly Block[] {
  if (block.result !== undefined) {
    const pictures = Array.from({ length: Number(block.images) }, () => ({ role: "user", image: true }))
    return [{ ...block, images: 0 }, ...pictures]
  }
  return block.role === "user" && /^\s*[/?]/.test(String(block.text))
    ? [{ role: "user", text: "Prompt:" }, block]
    : [block]
}

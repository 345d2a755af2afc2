import { join } from "node:path"
import type { Block } from "../../frame/compare-blocks.js"
import { runAgent } from "../../frame/run-agent.js"
import { ARGS, prepared } from "../../gemini/prepared.js"
import type { Json } from "../../model/blocks.js"
import { requestWith } from "../../model/model-server.js"
import { blocksOfContents } from "../said-blocks.js"
import type { Target } from "../target.js"

export const gemini: Target = {
  agent: "gemini",
  program: "gemini",
  own: /^<session_context>/,
  // It leaves out what looks like one of its commands, unless a word stands before it.
  asKept: (blocks) =>
    blocks.flatMap((block) => (isCommand(block) ? [{ role: "user", text: "Prompt:" }, block] : [block])),
  // The pictures of a result stand behind it.
  asSent: (blocks) =>
    blocks.flatMap(({ images, ...block }): Block[] => [
      images === undefined ? block : { ...block, images: 0 },
      ...Array.from({ length: Number(images ?? 0) }, () => ({ role: "user", image: true })),
    ]),
  start(place, model) {
    const local = prepared(place, model)
    return {
      dir: join(place.home, ".gemini"),
      hasIds: true,
      listed: async () => (await runAgent(local, "gemini", [...ARGS, "--list-sessions"])).split("\n"),
      resume: (id, prompt) => runAgent(local, "gemini", [...ARGS, "--resume", id, "-p", prompt]),
      sent: (prompt) => blocksOfContents((requestWith(model, prompt).contents ?? []) as Json[]),
    }
  },
}

function isCommand({ role, text }: Block): boolean {
  return role === "user" && /^\s*[/?]/.test(String(text))
}

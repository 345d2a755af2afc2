import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { runAgent } from "../../frame/run-agent.js"
import { ask, lastFor } from "../../qwen/run-qwen.js"
import { blocksOfMessages } from "../said-blocks.js"
import type { Target } from "../target.js"

export const qwen: Target = {
  agent: "qwen",
  program: "qwen",
  own: /^<system-reminder>/,
  start(place, model) {
    const dir = join(place.home, ".qwen")
    mkdirSync(dir, { recursive: true })
    // It sends all pictures: where there are 20 and more, it sends only the last ones, also of its own sessions.
    const patient = { ...place, env: { ...place.env, QWEN_IMAGE_PAYLOAD_THRESHOLD: "1000000" } }
    return {
      dir,
      hasIds: true,
      listed: async () => (await runAgent(place, "qwen", ["sessions", "list", "--json"])).split("\n"),
      resume: (id, prompt) => ask(patient, model, prompt, ["--resume", id]),
      sent: () => blocksOfMessages(lastFor(model)),
    }
  },
}

import { join } from "node:path"
import { runAgent } from "../../frame/run-agent.js"
import { Opencode, settle } from "../../opencode/opencode.js"
import { blocksOfMessages } from "../said-blocks.js"
import type { Target } from "../target.js"

export const opencode: Target = {
  agent: "opencode",
  program: "opencode",
  // It asks for a summary, which is its answer.
  own: /^What did we do so far\?$/,
  start(place, model) {
    settle("opencode", place, model)
    let last: Opencode | undefined
    let session = ""
    return {
      dir: join(place.home, ".local", "share", "opencode"),
      env: place.env,
      hasIds: true,
      async listed() {
        const listed = await runAgent(place, "opencode", ["session", "list", "--format", "json"])
        return (JSON.parse(listed) as { id: string; title: string }[]).map(({ id, title }) => `${id} ${title}`)
      },
      async resume(id, prompt) {
        session = id
        last = await Opencode.start("opencode", place, model)
        await last.prompt(id, prompt).finally(() => last?.end())
      },
      sent: () => blocksOfMessages(last?.sent.get(session) ?? []),
    }
  },
}

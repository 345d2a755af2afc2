import { Codex } from "../../codex/scenario.js"
import type { Json } from "../../model/blocks.js"
import { requestWith } from "../../model/model-server.js"
import { blocksOfInput } from "../said-blocks.js"
import type { Target } from "../target.js"

export const codex: Target = {
  agent: "codex",
  program: "codex",
  own: /^(?:<environment_context>|<permissions instructions>|# AGENTS\.md|<user_instructions>)/,
  start(place, model) {
    const program = new Codex(place, model, "")
    return {
      dir: program.folder,
      hasIds: true,
      async listed() {
        let lines: string[] = []
        await program.serving(async (server) => {
          const { data } = await server.call("thread/list", { limit: 100 })
          lines = (data as Json[]).map(({ id, name, preview }) => JSON.stringify([id, name ?? preview]))
        })
        return lines
      },
      resume: (id, prompt) => program.ask("resume", id, prompt),
      sent: (prompt) =>
        blocksOfInput((requestWith(model, prompt).input ?? []) as Json[]).filter(({ role }) => role !== "developer"),
    }
  },
}

import { Codex } from "../../codex/scenario.js"
import type { Json } from "../../model/blocks.js"
import { requestWith } from "../../model/model-server.js"
import { blocksOfInput } from "../said-blocks.js"
import type { Target } from "../target.js"

export const codex: Target = {
  agent: "codex",
  program: "codex",
  own: /^(?:<environment_context>|<permissions instructions>|# AGENTS\.md|<user_instructions>)/,
  asSent: (blocks) =>
    blocks.map((block) => (block.result === undefined ? block : { ...block, text: asSent(String(block.text)) })),
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

/** Of a longer result Codex sends the beginning and the end to a model that it does not know. Bytes. */
const LONGEST_RESULT = 12_000

function asSent(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= LONGEST_RESULT) return text
  const [start, end] = [bytes.subarray(0, LONGEST_RESULT / 2), bytes.subarray(-LONGEST_RESULT / 2)].map(String)
  return `${start}…${text.length - `${start}${end}`.length} chars truncated…${end}`
}

import { join } from "node:path"
import type { Block } from "../../frame/compare-blocks.js"
import { runAgent } from "../../frame/run-agent.js"
import { Opencode, settle } from "../../opencode/opencode.js"
import { blocksOfMessages, callsLast, withImageNote } from "../said-blocks.js"
import type { Target } from "../target.js"

export const opencode: Target = {
  agent: "opencode",
  program: "opencode",
  own: /^Attached media from tool result:$/,
  asKept,
  // Anthropic's API, which this model has, takes no text behind a call.
  asSent: (blocks) => callsLast(blocks),
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

/** How the summaries of Codex and of Copilot CLI begin. */
const SUMMARY =
  /^(?:Another language model started to solve this problem|Some of the conversation history has been summarized)/

/** opencode asks for a summary, and its reply is it: first of what there is. A call that failed has no pictures. */
function asKept(blocks: readonly Block[]): readonly Block[] {
  const all = blocks.map((block) =>
    block.isError === true ? { ...withImageNote(block, "a failure has none in opencode"), images: 0 } : block,
  )
  const summary = all.find(({ isSummary, text }) => isSummary === true || SUMMARY.test(String(text)))
  if (!summary) return all
  const question = { role: "user", text: "What did we do so far?" }
  return [question, { role: "assistant", text: summary.text }, ...all.filter((block) => block !== summary)]
}

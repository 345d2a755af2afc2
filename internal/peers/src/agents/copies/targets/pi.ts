import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runAgent } from "../../frame/run-agent.js"
import type { Json } from "../../model/blocks.js"
import { requestWith } from "../../model/model-server.js"
import { LOCAL, settle } from "../../pi/pi.js"
import { blocksOfMessages } from "../said-blocks.js"
import type { Target } from "../target.js"

/** pi, whose own format the sessions of treelog have: nothing is copied for it, only resumed. */
export const pi: Target = {
  agent: "pi",
  program: "pi",
  own: /^(?!)/,
  // Of a call without a result, each has its own words.
  words: /^No result provided$|^\[The tool call was interrupted: it has no result\.\]$/g,
  start(place, model) {
    const dir = settle("pi", place.home, model)
    // What is asked for is the context before it is too long.
    writeFileSync(join(dir, "settings.json"), JSON.stringify({ compaction: { enabled: false } }))
    return {
      dir,
      hasIds: false,
      listed: () => Promise.resolve([]),
      // By an id it would ask before it goes on with a session of another folder.
      resume: (id, prompt) => runAgent(place, "pi", [...LOCAL, "--session", sessionFile(dir, id), "-p", prompt]),
      sent: (prompt) => blocksOfMessages((requestWith(model, prompt).messages ?? []) as Json[]),
    }
  },
}

function sessionFile(dir: string, id: string): string {
  const sessions = join(dir, "sessions")
  const name = readdirSync(sessions, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith(`${id}.jsonl`))
  if (name === undefined) throw new Error(`${sessions} has no file of the session ${id}.`)
  return join(sessions, name)
}

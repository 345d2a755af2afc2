import type { Scenario } from "../../frame/agent.js"
import { checkSessions } from "../check-sessions.js"
import { Claude } from "../claude.js"

const TURNS = [
  'CALL Bash {"command":"echo one","description":"one"}\nCALL Bash {"command":"echo two","description":"two"}',
  'CALL Agent {"description":"look","prompt":"Look around","subagent_type":"general-purpose"}',
  "/compact",
  'CALL Write {"file_path":"new.txt","content":"new"}',
  "What now?",
]

/** A conversation with calls, a sub-agent, a compaction and a fork. */
export const talk: Scenario = {
  name: "talk",
  async run(place, model) {
    const claude = new Claude(place, model)
    const id = await claude.ask("How many are there?")
    for (const turn of TURNS) await claude.ask(turn, "--resume", id)
    await claude.ask("Another way?", "--resume", id, "--fork-session")
    return checkSessions(claude, model)
  },
}

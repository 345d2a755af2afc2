import { AgentInTerminal } from "../frame/in-terminal.js"
import type { AgentPlace } from "../frame/run-agent.js"

/** What Copilot CLI shows to choose a session from. @param local where it asks the local model */
export async function ownListOf(local: AgentPlace): Promise<string[]> {
  const terminal = new AgentInTerminal(local, "copilot", [])
  try {
    await terminal.shows("Do you trust")
    terminal.press("Enter")
    await terminal.shows("/ commands")
    await terminal.enter("/resume", "list sessions", () => terminal.lines().join("\n").includes("Modified"))
    // At first, only the one that is open is there.
    await terminal.shows("○")
    await terminal.rests()
    return terminal.lines()
  } finally {
    await terminal.close()
  }
}

import { isDeepStrictEqual } from "node:util"
import { openAgent, type WrittenAgentName, writeAgentSession } from "@treelog/agents"
import { type Session, SessionManager } from "@treelog/session-core"

/** What is done with a written session in the program that it is written for. */
export interface Trial {
  readonly agent: WrittenAgentName
  /** The agent's folder. */
  readonly dir: string
  /** Whether the agent's own list has the session with its name. */
  isListed(id: string): Promise<boolean>
  /** Goes on with it, with a prompt. */
  resume(id: string): Promise<unknown>
}

/** Writes a session of Claude Code for an agent, finds it in its list, resumes it, and reads it. @returns what is not as it should be */
export async function tried({ agent, dir, isListed, resume }: Trial, source: Session): Promise<string[]> {
  const differences: string[] = []
  const write = () => writeAgentSession(agent, source, { dir, from: "claude-code" })
  const { id, path, receipt } = await write()
  const again = await write()
  if (again.id !== id || again.status !== "unchanged") differences.push(`written again, it is ${again.status}`)
  if (!(await isListed(id))) differences.push("it is not listed with its name")
  await resume(id)
  const storage = await openAgent(agent, { dir, env: {}, cacheDir: null })
  const { messages } = await new SessionManager({ storage }).readContext(path)
  const said = messages.slice(-2).map(({ role }) => role)
  if (!isDeepStrictEqual(said, ["user", "assistant"])) differences.push(`read at its end are ${JSON.stringify(said)}`)
  const after = await write()
  if (after.id !== id || after.status !== "continued") differences.push(`written after that, it is ${after.status}`)
  for (const [axis, { source: of, preserved, partial, evidence, dropped }] of Object.entries(receipt))
    if (of !== preserved + partial + evidence + dropped) differences.push(`the receipt of ${axis} does not add up`)
  return differences
}

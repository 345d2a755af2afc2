import type { WriteSessionOptions, WrittenSession } from "@treelog/agents/codex"
import { type Session, TreelogError } from "@treelog/session-core"
import { kindOf } from "@treelog/session-core/adapter"

/** An agent that sessions of others can be written for. */
interface Writer {
  write(session: Session, options?: WriteSessionOptions): Promise<WrittenSession>
  /** Removes a copy that its agent did not go on with; false where it is none. */
  remove(path: string, options?: Pick<WriteSessionOptions, "dryRun">): Promise<boolean>
}

/** The agents that sessions of others can be written for, the oldest version that is known to list them, and the first that does no more. */
export const WRITERS: ReadonlyMap<string, { readonly oldest: string; readonly before?: string }> = new Map([
  ["claude-code", { oldest: "2.0.0" }],
  ["codex", { oldest: "0.146.0" }],
  ["copilot", { oldest: "1.0.102" }],
  ["gemini", { oldest: "0.61.0" }],
  ["opencode", { oldest: "1.18.33", before: "2" }],
  ["qwen", { oldest: "0.24.4" }],
])

/** Only the code of the agent that is meant is loaded. @throws InvalidArgumentError for one that no session can be written for */
async function writerOf(agent: string): Promise<Writer> {
  if (agent === "codex") return import("./writers/codex.js")
  if (agent === "claude-code") return import("./writers/claude-code.js")
  if (agent === "copilot" || agent === "gemini" || agent === "opencode" || agent === "qwen") {
    const { write, remove } = await import("./writers/others.js")
    return {
      write: (session, options) => write(agent, session, options),
      remove: (path, options) => remove(agent, path, options),
    }
  }
  const message = `Sessions of others can be written for ${[...WRITERS.keys()].join(", ")}, not for ${agent}.`
  throw new TreelogError("InvalidArgumentError", message, { argument: "agent", value: agent })
}

/**
 * Writes a session as one of another agent, which that agent lists, opens and goes on with: what was said, calls with their results, images and
 * compactions of the branch that ends at its leaf, or at `leaf`. Nothing that the agent wrote is touched. Repeated, it adds what is new.
 * @param agent such as `codex`: see `WRITERS`
 * @returns where it is, and a receipt of what it has and has not
 * @throws EntryNotFoundError for `leaf`; InvalidArgumentError: no session can be written for the agent, nothing was said, or the agent was never used
 * here; StorageError; SessionChangedError: the copy was written meanwhile
 */
export async function writeSession(
  agent: string,
  session: Session,
  options?: WriteSessionOptions,
): Promise<WrittenSession> {
  return (await writerOf(agent)).write(session, options)
}

/**
 * Removes a session that `writeSession` has written, and its agent did not go on with.
 * @param options.dryRun whether to write nothing, and say only whether it would go
 * @returns false for any other, which stays
 * @throws InvalidArgumentError for an agent that no session can be written for; StorageError
 */
export async function removeWrittenSession(
  agent: string,
  path: string,
  options?: Pick<WriteSessionOptions, "dryRun">,
): Promise<boolean> {
  return (await writerOf(agent)).remove(path, options)
}

/** The last entries of the conversation on each branch of a session, in the order of the session. */
export function branchEnds(session: Session): string[] {
  const parents = new Map<string, string | null>()
  const said = new Set<string>()
  for (const entry of session.iterateEntries()) {
    parents.set(entry.id, entry.parentId)
    if (kindOf(entry).conversation) said.add(entry.id)
  }
  const ends = new Set(said)
  for (const id of said) {
    let above = parents.get(id)
    while (above && !said.has(above)) above = parents.get(above)
    if (above) ends.delete(above)
  }
  return [...ends]
}

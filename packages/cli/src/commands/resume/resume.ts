import { TreelogError } from "@treelog/session-core"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import { composeSessions, type Sessions } from "../../sessions/compose-sessions.js"
import { isInteractive } from "../../tui/frame/picker-environment.js"
import { findSessions } from "./find-sessions.js"
import { sessionByRef } from "./named-session.js"
import { printResumed } from "./print-resumed.js"
import type { ResumeOptions } from "./resume-options.js"

/** Finds the session to go on with, by a picker or by what is asked for, and prints its path or id. */
export async function resume(context: CommandContext, options: ResumeOptions): Promise<ExitCode> {
  const { last, session, query, named } = options
  if (session !== undefined && (last || query !== undefined || named))
    throw new UsageError("--session cannot be combined with --last, --query or --named.")
  const sessions = composeSessions(context)
  if (session !== undefined) {
    await printResumed(context, [await sessionByRef(sessions, session)], options.print)
    return EXIT.ok
  }
  if (last || (query !== undefined && !isInteractive(context))) {
    const found = await findSessions(context, sessions, options)
    await printResumed(context, last ? found.slice(0, 1) : found, options.print)
    return EXIT.ok
  }
  await requireSessions(context, sessions)
  const { pickSession } = await import("./pick-session.js")
  const picked = await pickSession(context, sessions, options)
  if (!picked) return EXIT.interrupted
  await printResumed(context, [picked], options.print)
  return EXIT.ok
}

/** Where there is nothing to choose from, no screen is taken. @throws SessionNotFoundError */
async function requireSessions({ options }: CommandContext, { storage, agentDir }: Sessions): Promise<void> {
  for await (const _ of storage.list()) return
  const { sessionDir = agentDir } = options
  const message = `There are no sessions in ${sessionDir}. \`treelog new\` creates one; --store pi, xcsh or omp shows those of other programs.`
  throw new TreelogError("SessionNotFoundError", message, { ref: "" })
}

import { hostname } from "node:os"
import { TreelogError } from "@treelog/session-core"
import { isInUse } from "@treelog/stores"
import type { CommandContext } from "../io/command-context.js"
import { commandLine } from "../io/shell-command.js"
import { forksHere, type StoredSession } from "./go-on.js"
import { canFork, type ResumingAgent } from "./run-agent.js"

/**
 * Checks that no process has a session, before its agent is started with it a second time: of two processes that answer, most agents show one
 * alone from then on. Where a process works in its folder and may have it, stderr says so.
 * @throws SessionBusyError where one has it
 */
export async function requireUnused(
  context: CommandContext,
  { path, id, cwd }: StoredSession,
  agent: ResumingAgent,
): Promise<void> {
  const { io, options } = context
  // Whenever it was started: it may write there from now on.
  const use = await isInUse(io, { agent, path, id, cwd, modified: Number.POSITIVE_INFINITY })
  if (!use) return
  const { pid, started } = use.process
  const line = (option: string): string => commandLine(["resume", id, option], options)
  const fork =
    canFork(agent, io) || forksHere(agent)
      ? `To go on in a copy: ${line("--fork")}.`
      : `In a copy: ${line("--with codex")}.`
  if (use.by === "folder") {
    const data = { path, pid }
    context.warn(
      { code: "SessionMayBeInUse", data },
      `Process ${pid} of ${agent} works in the folder of this session, and may have it. ${fork}`,
    )
    return
  }
  const message = `${id} is in use by process ${pid} of ${agent}: of two processes that answer, ${agent} may show one alone from then on. ${fork} Nevertheless: ${line("--anyway")}.`
  throw new TreelogError("SessionBusyError", message, {
    key: path,
    pid,
    host: hostname(),
    since: new Date(started).toISOString(),
  })
}

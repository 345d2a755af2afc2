import { hostname } from "node:os"
import { TreelogError } from "@treelog/session-core"
import { isInUse } from "@treelog/stores"
import { cleanLine } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { isInteractive } from "../io/can-ask.js"
import type { CommandContext } from "../io/command-context.js"
import { commandLine } from "../io/shell-command.js"
import { forksHere, goOn, prepare, type StoredSession } from "./go-on.js"
import { canFork, type ResumingAgent } from "./run-agent.js"

export interface HowToResume {
  /** What is printed of a session; without it, in a terminal, its agent is run. */
  readonly print?: "path" | "id"
  readonly with?: string
  /** The entry to go on from, in a copy. */
  readonly leaf?: string
  /** Whether the copy begins with the last summary. */
  readonly fromSummary?: boolean
  /** Whether it goes on in a copy. */
  readonly fork?: boolean
  /** Whether it goes on although a process has the session. */
  readonly anyway?: boolean
  /** Whether each other branch is copied, too. */
  readonly allBranches?: boolean
}

/** Runs the agent of the one session that was found, or prints what was. */
export async function resumed(
  context: CommandContext,
  found: readonly StoredSession[],
  { print, with: agent, leaf, fork, anyway, fromSummary, allBranches }: HowToResume,
): Promise<ExitCode> {
  const [only, ...others] = found
  const isRun = agent !== undefined || (context.io.stdout.isTTY && isInteractive(context))
  const isCopied = agent !== undefined || leaf !== undefined
  const isPrinted = print !== undefined || (!isCopied && (!isRun || context.options.json))
  if (!only || others.length > 0 || isPrinted) {
    await printResumed(context, found, print ?? "path")
    return EXIT.ok
  }
  const isStarted = isRun && !context.options.json
  const session = fork ? { ...only, isFork: true } : only
  const ready = await prepare(context, session, { with: agent, leaf, fromSummary, allBranches }, isStarted)
  // A copy has another path.
  if (isStarted && ready.agent && ready.session.path === only.path && !fork && !anyway)
    await requireUnused(context, only, ready.agent)
  if (isStarted) {
    const code = await goOn(context, ready)
    if (code !== undefined) return code
    const { agent: owner } = only.store
    const why = owner ? `${owner} has no command that continues a session` : "This session does not belong to an agent"
    await context.log(`${why}: --with pi continues a copy of it in pi.`)
  }
  await printResumed(context, [ready.session], "path")
  return EXIT.ok
}

/** Prints sessions, one a line. */
async function printResumed(
  context: CommandContext,
  sessions: readonly StoredSession[],
  print: "path" | "id",
): Promise<void> {
  if (context.options.json) {
    for (const { path, id, cwd, name } of sessions) await context.printJson({ path, id, cwd, name })
  } else await context.print(sessions.map((session) => cleanLine(session[print])))
}

/**
 * Checks that no process has a session, before its agent is started with it a second time: of two processes that answer, most agents show one
 * alone from then on. Where a process works in its folder and may have it, stderr says so.
 * @throws SessionBusyError where one has it
 */
async function requireUnused(
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

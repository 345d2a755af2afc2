import { type AgentStore, removeWrittenSession } from "@treelog/stores"
import { cleanLine } from "@treelog-internal/text"
import type { ExitCode } from "../../errors/exit-codes.js"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import { Progress } from "../../io/progress.js"
import { findToRead } from "../../sessions/find-session.js"
import { type CommandSource, openLibrary } from "../../sessions/open-library.js"
import { Outcomes } from "../../sessions/outcomes.js"
import {
  isWritten,
  receiptLines,
  type WhatIsWritten,
  type WrittenSession,
  writeForAgent,
} from "../../transfer/to-agent.js"

interface ForAgentOptions extends WhatIsWritten {
  /** The store that has the sessions. Default: those of all programs. */
  readonly from?: string | undefined
}

/** Writes sessions as sessions of an agent, which that agent lists and goes on with; repeated, it adds what is new. */
export async function importForAgent(
  given: CommandContext,
  target: AgentStore,
  refs: readonly string[],
  { from, ...what }: ForAgentOptions,
): Promise<ExitCode> {
  const context = from === undefined ? given : given.with({ ...given.options, store: from })
  const isAll = refs.length === 0
  if (isAll && (context.options.all !== true || from === undefined))
    throw new UsageError(
      `Name sessions to write for ${target.agent}, or give --from and --all for every session of a store.`,
    )
  if (what.leaf !== undefined && refs.length !== 1)
    throw new UsageError("--leaf names an entry of a session: name that, too.")
  const outcomes = new Outcomes(context, undefined, isAll)
  const counts = new Map<string, number>()
  let copies = 0
  for await (const { source, key } of isAll ? everySession(context) : namedSessions(context, refs)) {
    context.io.interrupted.throwIfAborted()
    const outcome = await outcomes.of(key, async () => {
      if (isAll && (await isUntouchedCopy(source, key))) return undefined
      const writing = writeForAgent(target, { ...source, key }, what)
      return new Progress(context).during(context.hold(writing), () => `Writing ${key} for ${target.agent}`)
    })
    if (outcome && !outcome.result) copies += 1
    for (const written of outcome?.result ?? []) {
      counts.set(written.status, (counts.get(written.status) ?? 0) + 1)
      await print(context, key, written, what.dryRun ?? false)
    }
  }
  const parts = [...counts].map(([status, count]) => `${count} ${status}`)
  if (copies > 0) parts.push(`${copies} left out, which are copies that nothing was added to`)
  await context.log(`${[...parts, outcomes.failureText].filter(Boolean).join(", ") || "No session was found"}.`)
  return outcomes.exitCode()
}

async function* everySession(context: CommandContext): AsyncGenerator<{ source: CommandSource; key: string }> {
  for (const source of (await openLibrary(context)).sources)
    for await (const { key, error } of source.storage.list()) if (!error) yield { source, key }
}

/** Whether treelog wrote it, and its agent did not go on with it. Copied again, there and back, sessions would double each time. */
async function isUntouchedCopy({ sessions: { agent = "" } }: CommandSource, key: string): Promise<boolean> {
  return isWritten(agent) && removeWrittenSession(agent, key, { dryRun: true })
}

async function* namedSessions(context: CommandContext, refs: readonly string[]) {
  for (const ref of refs) yield await findToRead(context, ref)
}

function print(
  context: CommandContext,
  from: string,
  { receipt, ...written }: WrittenSession,
  dryRun: boolean,
): Promise<void> {
  const line = `${cleanLine(written.id)}  ${written.status}  ${cleanLine(written.path)}`
  return context.report({ from, ...written, dryRun, receipt }, [
    line,
    ...receiptLines(receipt).map((one) => `  ${one}`),
  ])
}

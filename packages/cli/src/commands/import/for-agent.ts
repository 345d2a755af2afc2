import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { parsedJson } from "@treelog/session-core/json"
import { type AgentStore, removeWrittenSession } from "@treelog/stores"
import { cleanLine } from "@treelog-internal/text"
import { type ExitCode, UsageError } from "../../errors/exit-codes.js"
import { type CommandContext, Progress } from "../../io/command-context.js"
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
  const outcomes = new Outcomes(context, isAll)
  const counts = new Map<string, number>()
  let copies = 0
  const ids: string[] = []
  for await (const { source, key } of isAll ? everySession(context) : namedSessions(context, refs)) {
    context.io.interrupted.throwIfAborted()
    const outcome = await outcomes.of(key, async () => {
      if (isAll && (await isUntouchedCopy(source, key))) return undefined
      const writing = writeForAgent(target, source, key, what)
      return new Progress(context).during(context.hold(writing), () => `Writing ${key} for ${target.agent}`)
    })
    if (outcome && !outcome.result) copies += 1
    for (const written of outcome?.result ?? []) {
      counts.set(written.status, (counts.get(written.status) ?? 0) + 1)
      ids.push(written.id)
      await print(context, key, written, what.dryRun ?? false)
    }
  }
  if (target.agent === "codex" && ids.length > 0 && !what.dryRun) await showInPicker(context, target, ids)
  const parts = [...counts].map(([status, count]) => `${count} ${status}`)
  if (copies > 0) parts.push(`${copies} left out, which are copies that nothing was added to`)
  if (parts.length === 0 && outcomes.failureText === "") parts.push("No session was found")
  await context.log(outcomes.sentence(...parts))
  return outcomes.exitCode()
}

/** Has Codex show copies in its picker, or says how it does. */
async function showInPicker(context: CommandContext, target: AgentStore, ids: readonly string[]): Promise<void> {
  const reading = listInCodex(target, ids, context.io.env)
  const read = await new Progress(context).during(reading, () => "Waiting for Codex to read what was written")
  const unread = ids.filter((id) => !read.has(id))
  const [first] = unread
  if (first === undefined) return
  const which = unread.length === 1 ? "it" : `these ${unread.length} each`
  await context.log(
    `Codex did not read what was written: its picker shows ${which} once it was resumed: codex resume ${cleanLine(first)}`,
  )
}

async function* everySession(context: CommandContext): AsyncGenerator<{ source: CommandSource; key: string }> {
  for (const source of (await openLibrary(context)).sources)
    for await (const { key, error } of source.storage.list()) if (!error) yield { source, key }
}

/** Whether treelog wrote it, and its agent did not go on with it. Copied again, there and back, sessions would double each time. */
async function isUntouchedCopy({ agent = "" }: CommandSource, key: string): Promise<boolean> {
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

/** How long Codex may take to start and to read the sessions. Milliseconds. */
const PATIENCE = 60_000

/**
 * Has Codex read sessions that were written for it. Its picker shows what its database has, and Codex adds a session there once its own server is asked
 * for it.
 * @returns the ids of those that it read; none where `codex` is not on PATH
 */
function listInCodex(
  { variables }: Pick<AgentStore, "variables">,
  ids: readonly string[],
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<ReadonlySet<string>> {
  const read = new Set<string>()
  const requests = [
    { id: 0, method: "initialize", params: { clientInfo: { name: "treelog", title: null, version: "1" } } },
    { method: "initialized" },
    ...ids.map((threadId, at) => ({
      id: at + 1,
      method: "thread/read",
      params: { threadId, includeTurns: false },
    })),
  ]
  return new Promise((resolve) => {
    const codex = spawn("codex", ["app-server"], {
      env: { ...env, ...variables },
      stdio: ["pipe", "pipe", "ignore"],
      timeout: PATIENCE,
    })
    const end = (): void => resolve(read)
    for (const one of [codex, codex.stdin]) one.on("error", end)
    codex.once("close", end)
    let answers = 0
    createInterface({ input: codex.stdout }).on("line", (line) => {
      const { id, result } = (parsedJson(line) ?? {}) as { id?: unknown; result?: unknown }
      const asked = typeof id === "number" ? ids[id - 1] : undefined
      if (asked === undefined) return
      if (result !== undefined) read.add(asked)
      if (++answers === ids.length) codex.stdin.end()
    })
    for (const request of requests) codex.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`)
  })
}

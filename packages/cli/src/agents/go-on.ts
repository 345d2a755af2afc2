import type { Session } from "@treelog/session-core"
import { kindOf } from "@treelog/session-core/adapter"
import { importSession, inflateSession } from "@treelog/session-core/maintenance"
import { type AgentStorage, agentStoreNamed, PROGRAMS, removeWrittenSession, WRITERS } from "@treelog/stores"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import { type CommandContext, Progress } from "../io/command-context.js"
import { commandLine } from "../io/shell-command.js"
import { type CommandSource, openSource } from "../sessions/open-library.js"
import { findEntry } from "../sessions/open-to-read-or-write.js"
import { chosenStore } from "../store/chosen-store.js"
import { blobsOf, isWritableStore, managerWith, ownManager, requireWritable } from "../store/command-sessions.js"
import { importingManager, importOne } from "../transfer/from-agent.js"
import { type MadeCopy, madeIn, orNoCopies, orUnusedCopies } from "../transfer/made-copies.js"
import { isWritten, receiptLines, type WhatIsWritten, writeForAgent } from "../transfer/to-agent.js"
import {
  agentCommand,
  agentLine,
  agentOfStore,
  canFork,
  type ResumingAgent,
  requireStart,
  runAgent,
  versionOf,
} from "./run-agent.js"

/** What it takes to continue a session. */
export interface StoredSession {
  readonly store: CommandSource
  readonly path: string
  readonly id: string
  readonly cwd: string
  readonly name?: string | undefined
  /** Whether it goes on in a copy, which its agent makes where it can. */
  readonly isFork?: boolean
}

/** `leaf` is the entry to go on from, in a copy where others follow it. */
interface GoOnOptions extends Pick<WhatIsWritten, "leaf" | "fromSummary" | "allBranches"> {
  /** The agent to go on in; default: the one that owns the session. */
  readonly with?: string | undefined
}

/** A session to continue at its end, and in which agent; undefined for one of no agent, where none is named. */
interface ReadySession {
  readonly session: StoredSession
  readonly agent: ResumingAgent | undefined
  readonly made: readonly MadeCopy[]
}

/**
 * Copies a session to the agent that is to continue it, if that is another one, and then forks it at the entry to continue from, unless
 * the session ends there. What keeps the agent from starting is found before anything is written.
 * @param isRun whether the agent is to be run
 * @throws UsageError for an entry within a session of an agent that continues whole sessions only; EntryNotFoundError; what `requireStart`
 * throws
 */
export async function prepare(
  context: CommandContext,
  asked: StoredSession,
  { with: name, leaf, fromSummary, allBranches }: GoOnOptions,
  isRun: boolean,
): Promise<ReadySession> {
  const owner = agentOfStore(context.io, asked.store.program ?? presetOf(asked))
  const agent = name === undefined ? owner : named(context, name)
  const isCopied = agent !== undefined && agent !== owner
  const isForkedHere = asked.isFork === true && agent !== undefined && !canFork(agent, context.io) && forksHere(agent)
  const session = isForkedHere ? { ...asked, isFork: false } : asked
  const isPart = fromSummary === true || allBranches === true
  if (isPart && !(agent !== undefined && isWritten(agent)))
    throw new UsageError(`--from-summary and --all-branches go with --with ${[...WRITERS.keys()].join(" or --with ")}.`)
  const options = [
    ...(name === undefined ? [] : ["--with", name]),
    ...(leaf === undefined ? [] : ["--leaf", leaf]),
    ...(fromSummary ? ["--from-summary"] : []),
    ...(allBranches ? ["--all-branches"] : []),
  ]
  const again = options.length > 0 ? commandLine(["resume", session.id, ...options], context.options) : undefined
  const { store } = session
  // `relocate` moves the sessions of the agents that treelog writes for, too.
  const isMovable = isWritableStore(store) || isWritten(store.agent ?? "")
  const movable = isMovable ? store.options : undefined
  if (isRun && agent) await requireStart(agentCommand(agent, session, {}, context.io), context.io.env, again, movable)
  if (
    agent !== undefined &&
    isWritten(agent) &&
    (isCopied || isPart || isForkedHere || (leaf !== undefined && !(await standsAt(session, leaf))))
  ) {
    const made: MadeCopy[] = []
    const written = await write(context, agent, session, { leaf, fromSummary, allBranches }, made)
    return { session: written, agent, made }
  }
  const entryId = leaf === undefined ? undefined : await entryToFork(session, leaf, isCopied ? undefined : agent)
  const made: MadeCopy[] = []
  return orNoCopies(made, async () => {
    const whole = isCopied ? await copyTo(context, agent, session, made) : session
    const isWhole = entryId === undefined && !isForkedHere
    return { session: isWhole ? whole : await forkAt(whole, entryId, made), agent, made }
  })
}

/**
 * Runs the agent of a session that is ready. Says which command runs. Of an agent that cannot be started, the copies are removed.
 * @returns undefined for a session of no agent: there is nothing to run
 */
export async function goOn(context: CommandContext, ready: ReadySession): Promise<ExitCode | undefined> {
  const { session, agent, made } = ready
  if (!agent) return undefined
  const { name } = chosenStore({ io: context.io, options: session.store.options })
  const isKept = name.kind !== "postgres" && name.keptOf !== undefined
  const variables = name.kind === "agent" ? name.variables : isKept ? undefined : {}
  if (!variables)
    throw new UsageError(
      `${agent} finds no session in ${session.store.address}: ${isKept ? "`treelog restore` puts it back" : "--with pi continues a copy"}.`,
    )
  const command = agentCommand(agent, session, variables, context.io)
  await context.log(agentLine(command))
  const running = orUnusedCopies(
    made,
    () => runAgent(command, context.io.env),
    (code) => code === 0,
  )
  const code = await context.hold(running)
  if (code !== 0) await context.log(`${command.program} ended with exit code ${code}.`)
  return code === 0 ? EXIT.ok : EXIT.failed
}

/** Whether treelog makes the copy of a session that an agent goes on in: one that makes none itself. */
export function forksHere(agent: ResumingAgent): boolean {
  return isWritten(agent) || agent === "omp" || agent === "xcsh"
}

/** The store that `--store` or a setting names. */
function presetOf({ store: { agent, files } }: StoredSession): string | undefined {
  return agent ?? files?.name.preset
}

/** @throws UsageError for what is not an agent, or one that takes no sessions of others */
function named({ io }: CommandContext, name: string): ResumingAgent {
  const agent = agentOfStore(io, name)
  if (agent && PROGRAMS.some((program) => program === agent)) return agent
  if (agent && isWritten(agent)) return agent
  const takers = [...PROGRAMS.filter((program) => program !== "treelog"), ...WRITERS.keys()].join(", ")
  throw new UsageError(`${name} cannot continue sessions of other agents: --with takes ${takers}.`, { with: name })
}

/**
 * The entry to go on from.
 * @param agent that is to continue the session where it is
 * @throws EntryNotFoundError; UsageError where that agent continues whole sessions only
 */
async function entryToFork(session: StoredSession, leaf: string, agent: ResumingAgent | undefined): Promise<string> {
  const { store: sessions } = session
  const source = await (await managerWith(sessions, undefined)).open(session.path, { access: "read" })
  const entryId = findEntry(source, leaf)
  const isWholeOnly = agent !== undefined && sessions.agent !== undefined
  if (isWholeOnly && !endsAt(source, entryId)) throw wholeOnly(session, entryId, agent)
  return entryId
}

/**
 * The session itself where it ends at the entry; otherwise a copy of the path to it, in the same store: an earlier one in which nothing was
 * said since, or a new one.
 * @param entryId undefined: a new copy of the path to its end
 */
async function forkAt(session: StoredSession, entryId: string | undefined, made: MadeCopy[]): Promise<StoredSession> {
  const { store: sessions } = session
  const blobs = await blobsOf(sessions, session.path)?.open()
  const manager = await managerWith(sessions, blobs)
  const source = await manager.open(session.path, { access: "read" })
  if (entryId !== undefined) {
    if (endsAt(source, entryId)) return session
    for await (const { path, id, cwd, parentSession, error } of manager.list(session.cwd))
      if (!error && parentSession === session.path && endsAt(await manager.open(path, { access: "read" }), entryId))
        return { ...session, path, id, cwd }
  }
  requireWritable(sessions)
  const fork = await source.createBranchedSession(entryId ?? source.getLeafId() ?? "")
  await fork.close()
  const path = fork.getSessionFile() ?? ""
  made.push(madeIn(sessions.storage, path))
  return { ...session, path, id: fork.getSessionId(), cwd: fork.getCwd() }
}

/** What can be done instead of going on from an entry in an agent that cannot. */
function wholeOnly(session: StoredSession, entryId: string, agent: ResumingAgent | undefined): UsageError {
  const { id, store } = session
  const of = agent === undefined ? store.options : { store: agent }
  const copy = commandLine(["resume", id, "--leaf", entryId, "--with", "pi"], of)
  const end = commandLine(["resume", id], of)
  const message = `${agent ?? "This store"} continues whole sessions only, and other entries follow this one. From here, in a copy in pi: ${copy}. At its end: ${end}.`
  return new UsageError(message, { session: id, entry: entryId })
}

/** Whether a session of an agent ends at an entry. @throws EntryNotFoundError */
async function standsAt({ store, path }: StoredSession, leaf: string): Promise<boolean> {
  const source = await (await managerWith(store, undefined)).open(path, { access: "read" })
  return endsAt(source, findEntry(source, leaf))
}

/** Writes the session for an agent with files of its own form, and says what the copy has. */
async function write(
  context: CommandContext,
  agent: ResumingAgent,
  session: StoredSession,
  what: Pick<WhatIsWritten, "leaf" | "fromSummary" | "allBranches">,
  made: MadeCopy[],
): Promise<StoredSession> {
  const { io } = context
  const target = agentStoreNamed(io, agent)
  if (!target) throw new UsageError(`${agent} has no store of its own.`)
  const version = await versionOf(agentCommand(agent, session, {}, io), io.env, WRITERS.get(agent) ?? { oldest: "" })
  const writing = writeForAgent(target, session.store, session.path, { ...what, version })
  const [copy, ...others] = await new Progress(context).during(
    context.hold(writing),
    () => `Writing the session for ${agent}`,
  )
  const store = await openSource(context, { program: agent, options: { store: agent } })
  for (const { status, path: key } of [copy, ...others])
    if (status === "created") made.push({ storage: store.storage, key, remove: () => removeWrittenSession(agent, key) })
  for (const line of receiptLines(copy.receipt)) await context.log(line)
  return { ...session, store, path: copy.path, id: copy.id, cwd: copy.cwd }
}

/** The session in the store of an agent: the one with its id, which was copied before, or a new copy. */
async function copyTo(
  context: CommandContext,
  agent: ResumingAgent,
  session: StoredSession,
  made: MadeCopy[],
): Promise<StoredSession> {
  const target = await openSource(context, { program: agent, options: { store: agent } })
  requireWritable(target)
  const { store: sessions } = session
  const copying = async (): Promise<string> => {
    if (sessions.agent) {
      const copied = await importOne(target, sessions.storage as AgentStorage, session.path, false)
      if (copied.status === "created") made.push(madeIn(target.storage, copied.path))
      return copied.path
    }
    for await (const { key } of target.storage.find(session.id)) return key
    const blobs = await blobsOf(sessions, session.path)?.read()
    const { storage } = sessions
    const { to: path, status } = await importSession(await importingManager(target), session.path, {
      storage,
      ...(blobs && { blobs }),
    })
    if (status === "created") made.push(madeIn(target.storage, path))
    // pi knows no blobs: images go back into the lines.
    if (agent === "pi" && blobs) await inflateSession(await managerWith(target, blobs), path)
    return path
  }
  const path = await new Progress(context).during(context.hold(copying()), () => `Copying the session to ${agent}`)
  const copy = await (await ownManager(target)).open(path, { access: "read" })
  const [id, cwd] = [copy.getSessionId(), copy.getCwd()]
  await copy.close()
  return { ...session, store: target, path, id, cwd }
}

/** Whether a session ends at an entry: what follows on the current branch, such as a label, is not part of the conversation. */
function endsAt(session: Session, entryId: string): boolean {
  const branch = session.getLeafId() === null ? [] : session.getBranch()
  const at = branch.findIndex(({ id }) => id === entryId)
  return at !== -1 && branch.slice(at + 1).every((entry) => !kindOf(entry).conversation)
}

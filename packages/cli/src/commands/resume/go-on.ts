import type { Session } from "@treelog/session-core"
import { kindOf } from "@treelog/session-core/adapter"
import { importSession, inflateSession } from "@treelog/session-core/maintenance"
import { PROGRAMS } from "@treelog/stores"
import { agentCommand, agentLine, agentOfStore, type ResumingAgent, runAgent } from "../../agents/run-agent.js"
import { blobsOf, managerWith } from "../../blobs/session-blobs.js"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import { Progress } from "../../io/progress.js"
import { commandLine } from "../../render/shell-command.js"
import { commandSessions } from "../../sessions/command-sessions.js"
import type { StoreSessions } from "../../sessions/every-store.js"
import { findEntry } from "../../sessions/find-entry.js"
import { openAgentStorage } from "../../sessions/open-named-store.js"
import { importingManager, importOne } from "../import/from-agent.js"
import type { StoredSession } from "./stored-session.js"

interface GoOnOptions {
  /** The agent to go on in; default: the one that owns the session. */
  readonly with?: string | undefined
  /** The entry to go on from, in a fork where others follow it; default: the end of the session. */
  readonly leaf?: string | undefined
}

/** A session to continue at its end, and in which agent; undefined for one of no agent, where none is named. */
interface ReadySession {
  readonly session: StoredSession
  readonly agent: ResumingAgent | undefined
}

/**
 * Copies a session to the agent that is to continue it, if that is another one, and then forks it at the entry to continue from, unless
 * the session ends there.
 * @throws UsageError for an entry within a session of an agent that continues whole sessions only
 */
export async function prepare(
  context: CommandContext,
  session: StoredSession,
  { with: name, leaf }: GoOnOptions,
): Promise<ReadySession> {
  const owner = agentOfStore(session.store.program ?? presetOf(session))
  const agent = name === undefined ? owner : named(name)
  const own = agent === undefined || agent === owner ? session : await copyTo(context, agent, session)
  return { session: leaf === undefined ? own : await forkAt(own, leaf, agent), agent }
}

/**
 * Runs the agent of a session that is ready. Says which command runs.
 * @returns undefined for a session of no agent: there is nothing to run
 */
export async function goOn(context: CommandContext, { session, agent }: ReadySession): Promise<ExitCode | undefined> {
  if (!agent) return undefined
  const command = agentCommand(agent, session)
  await context.log(agentLine(command))
  const code = await context.hold(runAgent(command, context.io.env))
  if (code !== 0) await context.log(`${command.program} ended with exit code ${code}.`)
  return code === 0 ? EXIT.ok : EXIT.failed
}

/** The store that `--store` or a setting names. */
function presetOf({ store: { sessions } }: StoredSession): string | undefined {
  return sessions.agent ?? sessions.files?.name.preset
}

/** @throws UsageError for what is not an agent, or one that takes no sessions of others */
function named(name: string): ResumingAgent {
  const agent = agentOfStore(name)
  if (agent && PROGRAMS.some((program) => program === agent)) return agent
  const takers = PROGRAMS.filter((program) => program !== "treelog").join(", ")
  throw new UsageError(`${name} cannot continue sessions of other agents: --with takes ${takers}.`, { with: name })
}

/** The session itself where it ends at the entry, otherwise a copy of the path to it, in the same store. */
async function forkAt(session: StoredSession, leaf: string, agent: ResumingAgent | undefined): Promise<StoredSession> {
  const { sessions } = session.store
  const isReadOnly = sessions.agent !== undefined
  const blobs = await blobsOf(sessions, session.path)?.open(isReadOnly ? "read" : "write")
  const source = await (await managerWith(sessions, blobs)).open(session.path, { access: "read" })
  const entryId = findEntry(source, leaf)
  if (endsAt(source, entryId)) return session
  if (isReadOnly) throw wholeOnly(session, entryId, agent)
  const fork = await source.createBranchedSession(entryId)
  await fork.close()
  const path = fork.getSessionFile() ?? ""
  return { ...session, path, id: fork.getSessionId(), cwd: fork.getCwd() }
}

/** What can be done instead of going on from an entry in an agent that cannot. */
function wholeOnly(session: StoredSession, entryId: string, agent: ResumingAgent | undefined): UsageError {
  const { id, store } = session
  const of = agent === undefined ? store.context.options : { store: agent }
  const copy = commandLine(["resume", id, "--leaf", entryId, "--with", "pi"], of)
  const end = commandLine(["resume", id], of)
  const message = `${agent ?? "This store"} continues whole sessions only, and other entries follow this one. From here, in a copy in pi: ${copy}. At its end: ${end}.`
  return new UsageError(message, { session: id, entry: entryId })
}

/** The session in the store of an agent: the one with its id, which was copied before, or a new copy. */
async function copyTo(context: CommandContext, agent: ResumingAgent, session: StoredSession): Promise<StoredSession> {
  const own = context.with({ ...context.options, store: agent })
  const target = await commandSessions(own)
  const { sessions } = session.store
  const copying = async (): Promise<string> => {
    if (sessions.agent) {
      const storage = await openAgentStorage(context, sessions.agent)
      const copied = await importOne(target, storage, session.path, false)
      return copied.path
    }
    for await (const { key } of target.storage.find(session.id)) return key
    const blobs = await blobsOf(sessions, session.path)?.open("read")
    const { storage } = sessions
    const { to: path } = await importSession(await importingManager(target), session.path, {
      storage,
      ...(blobs && { blobs }),
    })
    // pi knows no blobs: images go back into the lines.
    if (agent === "pi" && blobs) await inflateSession(await managerWith(target, blobs), path)
    return path
  }
  const path = await new Progress(context).during(context.hold(copying()), () => `Copying the session to ${agent}`)
  const copy = await (await target.manager()).open(path, { access: "read" })
  const [id, cwd] = [copy.getSessionId(), copy.getCwd()]
  await copy.close()
  const store: StoreSessions = { program: agent, context: own, sessions: target }
  return { ...session, store, path, id, cwd }
}

/** Whether a session ends at an entry: what follows on the current branch, such as a label, is not part of the conversation. */
function endsAt(session: Session, entryId: string): boolean {
  const branch = session.getLeafId() === null ? [] : session.getBranch()
  const at = branch.findIndex(({ id }) => id === entryId)
  return at !== -1 && branch.slice(at + 1).every((entry) => !kindOf(entry).conversation)
}

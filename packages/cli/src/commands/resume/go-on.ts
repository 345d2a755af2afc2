import { agentCommand, agentOfStore, type ResumingAgent } from "../../agents/agent-command.js"
import { agentLine, runAgent } from "../../agents/run-agent.js"
import { blobsOf, managerWith } from "../../blobs/session-blobs.js"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import { Progress } from "../../io/progress.js"
import { PROGRAMS } from "../../program/programs.js"
import { composeSessions } from "../../sessions/compose-sessions.js"
import { findEntry } from "../../sessions/find-entry.js"
import { openAgent } from "../../sessions/open-agent.js"
import { requireWritable } from "../../sessions/read-only.js"
import { importingManager, importOne } from "../import/from-agent.js"
import type { StoredSession } from "./stored-session.js"

export interface GoOnOptions {
  /** The agent to go on in; default: the one that owns the session. */
  readonly with?: string | undefined
  /** The entry to go on from, in a fork; default: the end of the session. */
  readonly leaf?: string | undefined
}

/**
 * Goes on with a session in its agent, or in another one, which gets a copy. Says which command runs.
 * @returns undefined for a session of no agent, where none is named: there is nothing to run
 */
export async function goOn(
  context: CommandContext,
  session: StoredSession,
  { with: name, leaf }: GoOnOptions,
): Promise<ExitCode | undefined> {
  const owner = agentOfStore(session.store.program ?? presetOf(session))
  const agent = name === undefined ? owner : named(name)
  if (!agent) return undefined
  const forked = leaf === undefined ? session : await forkAt(session, leaf)
  const resumed = agent === owner ? forked : await copyTo(context, agent, forked)
  const command = agentCommand(agent, resumed)
  await context.log(agentLine(command))
  const code = await context.hold(runAgent(command, context.io.env))
  if (code !== 0) await context.log(`${command.program} ended with exit code ${code}.`)
  return code === 0 ? EXIT.ok : EXIT.failed
}

/** Of a store that `--store` or a setting names. */
function presetOf({ store: { sessions } }: StoredSession): string | undefined {
  return sessions.agent ?? sessions.files?.name.preset
}

/** @throws UsageError for what is no agent, or one that takes no sessions of others */
function named(name: string): ResumingAgent {
  const agent = agentOfStore(name)
  if (agent && PROGRAMS.some((program) => program === agent)) return agent
  const takers = PROGRAMS.filter((program) => program !== "treelog").join(", ")
  throw new UsageError(`${name} cannot go on with sessions of others: --with takes ${takers}.`, { with: name })
}

/** A copy of the path to an entry, in the same store. @throws ReadOnlyStorageError for agents whose sessions are only read */
async function forkAt(session: StoredSession, leaf: string): Promise<StoredSession> {
  const { sessions } = session.store
  requireWritable(sessions)
  const source = await managerWith(sessions, await blobsOf(sessions, session.path)?.open("write")).open(session.path, {
    access: "read",
  })
  const fork = await source.createBranchedSession(findEntry(source, leaf))
  await fork.close()
  const path = fork.getSessionFile() ?? ""
  return { ...session, path, id: fork.getSessionId(), cwd: fork.getCwd() }
}

/** The session in the store of an agent: the one with its id, which was copied before, or a new copy. */
async function copyTo(context: CommandContext, agent: ResumingAgent, session: StoredSession): Promise<StoredSession> {
  const own = context.with({ ...context.options, store: agent })
  const target = await composeSessions(own)
  const { sessions } = session.store
  const copying = async (): Promise<string> => {
    if (sessions.agent) {
      const storage = openAgent(context, sessions.agent, (error) => context.warn(error, `${error.message}.`))
      const copied = await importOne(target, storage, session.path, false)
      return "path" in copied ? copied.path : session.path
    }
    for await (const { key } of target.storage.find(session.id)) return key
    const blobs = await blobsOf(sessions, session.path)?.open("read")
    const { storage } = sessions
    const { path } = await importingManager(target).import(session.path, { storage, ...(blobs && { blobs }) })
    // pi knows no blobs: images go back into the lines.
    if (agent === "pi" && blobs) await managerWith(target, blobs).inflate(path)
    return path
  }
  const path = await new Progress(context).during(context.hold(copying()), () => `Copying the session to ${agent}`)
  const copy = await target.manager.open(path, { access: "read" })
  const [id, cwd] = [copy.getSessionId(), copy.getCwd()]
  await copy.close()
  return { ...session, path, id, cwd }
}

import { join } from "node:path"
import {
  applyChanges,
  type Change,
  changeText,
  type Journal,
  journalId,
  journalsIn,
  type OwnedSession,
  type Relocation,
  removeJournal,
  removeOldJournals,
  type SessionStep,
  type UndoSession,
  undoChanges,
  writeJournal,
} from "@treelog/agents"
import { TreelogError } from "@treelog/session-core"
import { isStat, nodeFs, statMany } from "@treelog-internal/fs"
import { loadDriver } from "../agents/load-driver.js"
import { RunningAgents } from "../running/running-agents.js"
import { ownFolder } from "../store-name.js"
import type { Surroundings } from "../surroundings.js"
import { ownedStore } from "./owned-store.js"
import { ownerReport } from "./owner-report.js"

/** Changes of a store, planned. */
export interface PlannedChanges {
  readonly changes: readonly Change[]
  /** A line for each, for people. */
  readonly lines: readonly string[]
}

/** Where treelog keeps what undoes changes of other programs' files. An absolute path. */
export function journalsOf(surroundings: Surroundings): string {
  return join(ownFolder(surroundings, "treelog"), "undo")
}

/**
 * Plans what makes an agent list a session again.
 * @throws InvalidArgumentError where it lists it, or nothing would make it; SessionBusyError, StorageError
 */
export async function planUnhide(
  surroundings: Surroundings,
  store: string,
  session: OwnedSession,
  now: number,
): Promise<PlannedChanges> {
  const owned = await ownedStore(surroundings, store)
  const report = await ownerReport(surroundings, store, [session], now)
  const [hidden] = report?.hidden ?? []
  if (!owned || !report) throw refused(session, `nobody knows what its agent lists`)
  if (!hidden) throw refused(session, "its agent lists it, when it is started in its folder")
  const { repository } = hidden
  const changes = repository
    ? await owned.rules.relocate?.(owned.store, {
        from: session.cwd,
        to: repository,
        sessions: [{ session, cwd: repository }],
      })
    : await owned.rules.unhide?.(owned.store, session, hidden)
  if (!changes || changes.length === 0)
    throw refused(session, `it is hidden for a reason that is not repaired: ${hidden.reason}`)
  await requireIdle(surroundings, agentNamed(store), [session], now)
  return planned(changes)
}

/** Plans what has to change in a store where a project is in another folder. @throws SessionBusyError, StorageError */
export async function planRelocation(
  surroundings: Surroundings,
  store: string,
  relocation: Relocation,
  now: number,
): Promise<PlannedChanges | undefined> {
  const owned = await ownedStore(surroundings, store)
  if (!owned?.rules.relocate) return undefined
  await requireIdle(
    surroundings,
    agentNamed(store),
    relocation.sessions.map(({ session }) => session),
    now,
  )
  return planned(await owned.rules.relocate(owned.store, relocation))
}

function planned(changes: readonly Change[]): PlannedChanges {
  return { changes, lines: changes.map(changeText) }
}

function agentNamed(store: string): string {
  return store.replace(/:.*/, "")
}

/** Does what was planned: all of it or nothing. @param what the command, for people @throws what `applyChanges` throws */
export async function applyPlanned(
  surroundings: Surroundings,
  what: string,
  { changes }: Pick<PlannedChanges, "changes">,
  now: number,
): Promise<Journal> {
  const journals = journalsOf(surroundings)
  await removeOldJournals(nodeFs, journals, now)
  for (const { state, what } of await journalsIn(nodeFs, journals))
    if (state !== "done") {
      const message = `\`${what}\` was interrupted: undo it first, with --undo.`
      throw new TreelogError("InvalidArgumentError", message, { argument: "apply", value: what })
    }
  return applyChanges({ fs: nodeFs, journals, loadDriver }, what, changes, now)
}

/**
 * Moves a session of a store that treelog writes, so that `undoLast` moves it back: also where it was interrupted.
 * @throws what `move` throws
 */
export async function recordedMove<Moved>(
  surroundings: Surroundings,
  what: string,
  step: SessionStep,
  now: number,
  move: () => Promise<Moved>,
): Promise<Moved> {
  const journals = journalsOf(surroundings)
  await removeOldJournals(nodeFs, journals, now)
  const journal: Journal = { id: journalId(now), what, state: "done", steps: [step] }
  await writeJournal(nodeFs, journals, journal)
  try {
    return await move()
  } catch (error) {
    await removeJournal(nodeFs, journals, journal)
    throw error
  }
}

/** What was undone. */
export interface Undone {
  readonly what: string
  /** What could not be undone, for people. */
  readonly problems: readonly string[]
}

/** Undoes the last changes of a command. @param command its name @returns undefined where there is nothing to undo */
export async function undoLast(
  surroundings: Surroundings,
  command: string,
  undoSession?: UndoSession,
): Promise<Undone | undefined> {
  const journals = journalsOf(surroundings)
  const found = (await journalsIn(nodeFs, journals)).filter(({ what }) => what.startsWith(`${command} `))
  const last = found.at(-1)
  if (!last) return undefined
  const problems: string[] = []
  // A command that changed several stores has a journal for each, and its last ones follow each other.
  for (const journal of [...found].reverse()) {
    if (journal.what !== last.what) break
    problems.push(...(await undoChanges({ fs: nodeFs, journals, loadDriver }, journal, undoSession)))
  }
  return { what: last.what, problems }
}

function refused({ id }: OwnedSession, why: string): TreelogError<"InvalidArgumentError"> {
  const message = `Nothing is changed of ${id}: ${why}.`
  return new TreelogError("InvalidArgumentError", message, { argument: "unhide", value: id })
}

/** What was written so short a time ago may be written again at any moment. Milliseconds. */
const QUIET = 3_000

/**
 * Refuses sessions that their agent has open, or is writing.
 * @throws SessionBusyError
 */
async function requireIdle(
  surroundings: Surroundings,
  agent: string,
  sessions: readonly OwnedSession[],
  now: number,
): Promise<void> {
  const running = await RunningAgents.now(surroundings)
  const stats = await statMany(
    nodeFs,
    sessions.map(({ path }) => path),
  )
  for (const [at, session] of sessions.entries()) {
    const { path, id, cwd, modified } = session
    const use = await running.using({ agent, path, id, cwd, modified })
    const stat = stats[at]
    const written = isStat(stat) ? Number(stat.mtimeNs) / 1e6 : 0
    if (use) throw busy(path, `It is in use by process ${use.process.pid}`, use.process.pid, use.process.started)
    if (Math.abs(now - written) < QUIET) throw busy(path, "It was written a moment ago", 0, written)
  }
}

function busy(key: string, why: string, pid: number, since: number): TreelogError<"SessionBusyError"> {
  const message = `${why}: ${key}. End its agent, and try again.`
  return new TreelogError("SessionBusyError", message, { key, pid, host: "", since: new Date(since).toISOString() })
}

import { sep } from "node:path"
import { type SessionStorage, TreelogError } from "@treelog/session-core"
import { noSessionAt } from "@treelog/session-core/adapter"
import { batchName, type FileTrash } from "@treelog/storage-fs"
import { removeWrittenSession, WRITERS } from "@treelog/stores"
import { UsageError } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { shellWord } from "../io/shell-command.js"
import { requireWritable, type Sessions } from "../store/command-sessions.js"
import type { CommandSource } from "./open-library.js"

/** The expected state of a session that is deleted. */
interface Expected {
  /** Bytes. One of another size was written meanwhile, and stays. */
  readonly size?: number
}

/**
 * Moves a session to the trash, with its artifacts and what was kept of it. Resolves to its path there, from which
 * `trash.restore` restores it. An interrupted command waits for it.
 * @param trash where many go, a `batch()`
 * @param key of the session, as listed
 * @throws SessionNotFoundError, SessionBusyError when another process writes it, SessionChangedError, StorageError
 */
export function moveToTrash(
  context: CommandContext,
  trash: FileTrash,
  key: string,
  { size }: Expected = {},
): Promise<string> {
  return context.hold(trash.put(key, { now: context.startedAt, size }))
}

/**
 * Removes a session for good, with its artifacts.
 * @throws SessionNotFoundError, SessionBusyError when another process writes it, SessionChangedError, StorageError
 */
function deleteForGood(
  context: CommandContext,
  storage: SessionStorage,
  key: string,
  { size }: Expected = {},
): Promise<void> {
  const removed = async (): Promise<void> => {
    const lease = await storage.lease(key, { access: "exclusive", waitMs: 0, toRemove: true })
    try {
      const stat = await storage.stat(key)
      if (!stat) throw noSessionAt(key)
      if (size !== undefined && stat.size !== size)
        throw new TreelogError("SessionChangedError", `The session was written in the meantime: ${key}.`, {
          key,
          change: "grown",
        })
      await lease.remove()
    } finally {
      await lease.release()
    }
  }
  return context.hold(removed())
}

/** Removes a session from its store. @returns its path in the trash; null where it is gone for good */
type Remove = (key: string, expected?: Expected) => Promise<string | null>

/** What removes sessions from a store: to its trash, or for good. @throws UsageError where there is no trash, and `permanent` is not given */
export function removal(context: CommandContext, sessions: Sessions, permanent: boolean): Remove {
  if (sessions.agent !== undefined && WRITERS.has(sessions.agent)) {
    if (!permanent)
      throw new UsageError(
        `Copies for ${sessions.agent} have no trash: --permanent deletes what treelog wrote, and nothing else.`,
      )
    return (key) => context.hold(removeCopy(sessions, key, false))
  }
  requireWritable(sessions)
  const { storage, files, address } = sessions
  if (permanent) return (key, expected) => deleteForGood(context, storage, key, expected).then(() => null)
  if (!files)
    throw new UsageError(`${address} is a database, which has no trash: --permanent deletes for good.`, {
      store: address,
    })
  const trash = files.storage.trash.batch()
  return (key, expected) => moveToTrash(context, trash, key, expected)
}

/** Removes what treelog wrote for an agent. @throws ReadOnlyStorageError for what the agent wrote, or went on with */
export async function removeCopy(sessions: Sessions, key: string, dryRun: boolean): Promise<null> {
  const { agent = "" } = sessions
  if (!(await removeWrittenSession(agent, key, { dryRun }))) requireWritable(sessions)
  return null
}

/** The command that restores what was just deleted: all of it by its time, or, of a file outside of stores, by its path. */
export function restoreHint(
  { startedAt }: CommandContext,
  { options, historyDir: agentDir }: Pick<CommandSource, "options" | "historyDir">,
  paths: readonly string[],
): string {
  const { store, agentDir: givenDir, sessionDir } = options
  const where = [
    ...(store === undefined ? [] : ["--store", store]),
    ...(givenDir === undefined ? [] : ["--agent-dir", shellWord(givenDir)]),
    ...(sessionDir === undefined ? [] : ["--session-dir", shellWord(sessionDir)]),
  ]
  const isInStore = sessionDir !== undefined || paths.every((path) => path.startsWith(agentDir + sep))
  const what = isInStore ? [...where, batchName(startedAt)] : paths.map(shellWord)
  return `\`treelog trash restore ${what.join(" ")}\` restores ${paths.length === 1 ? "it" : "them"}.`
}

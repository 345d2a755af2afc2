import { sep } from "node:path"
import { batchName, type FileTrash } from "@treelog/storage-fs"
import type { CommandContext } from "../io/command-context.js"
import type { Sessions } from "../sessions/compose-sessions.js"

/** The expected state of a session that is deleted. */
export interface Expected {
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

/** The command that restores what was just deleted: all of it by its time, or, what lies in no store, by its path. */
export function restoreHint(
  { startedAt, options }: CommandContext,
  { agentDir }: Sessions,
  paths: readonly string[],
): string {
  const { store, agentDir: givenDir, sessionDir } = options
  const where = [
    ...(store === undefined ? [] : ["--store", store]),
    ...(givenDir === undefined ? [] : ["--agent-dir", quoted(givenDir)]),
    ...(sessionDir === undefined ? [] : ["--session-dir", quoted(sessionDir)]),
  ]
  const isInStore = sessionDir !== undefined || paths.every((path) => path.startsWith(agentDir + sep))
  const what = isInStore ? [...where, batchName(startedAt)] : paths.map(quoted)
  return `\`treelog restore ${what.join(" ")}\` restores ${paths.length === 1 ? "it" : "them"}.`
}

/** Quoted as one word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

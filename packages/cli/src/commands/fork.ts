import { resolve } from "node:path"
import { contentText, isEntry, type Session, type SessionManager, type SessionStorage } from "@treelog/session-core"
import { moveSession } from "@treelog/session-core/maintenance"
import { isFolder, RealFolders } from "@treelog-internal/fs"
import { isObject } from "@treelog-internal/text"
import { type CommandDefinition, SESSION } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { copyNamedBlobs } from "../sessions/copy-named-blobs.js"
import { findSession } from "../sessions/find-session.js"
import { findEntry, openFound, printNewSession, withNewSession } from "../sessions/open-to-read-or-write.js"
import { managerWith, ownManager, type Sessions, storedBlobs } from "../store/command-sessions.js"
import { withWritableCopies } from "../store/copy-to-write.js"
import { pickInTree } from "../tui/tree/pick-in-tree.js"

export const command: CommandDefinition = {
  job: "go on",
  summary: "copy a session, or the path to an entry",
  description: "Copy a session to a new one, and print its id and path. The source does not change.",
  examples: [
    ["treelog fork 01a1ffe2 --to ~/shop-2", "all branches, for another folder"],
    ["treelog fork @last --leaf 90f5a690", "only the path to one entry"],
    ["treelog fork @last -i", "up to a message that you choose"],
  ],
  arguments: [["<session>", SESSION]],
  options: [
    ["--leaf <entry>", "copy only the path to this entry (default: all branches)"],
    ["--before <entry>", "copy only the path up to this user message, without it, and print its text"],
    ["-i, --interactive", "choose that message in the tree; needs a terminal"],
    [
      "--to <folder>",
      "project folder of the copy (default: this folder; with --leaf, --before or -i the folder of the source)",
    ],
  ],
  run: fork,
}

interface ForkOptions {
  readonly leaf?: string
  readonly before?: string
  readonly interactive?: boolean
  readonly to?: string
}

/** Before anything is written. @throws UsageError */
async function requireFolder(folder: string): Promise<void> {
  if (!(await isFolder(folder)))
    throw new UsageError(`There is no folder ${folder} that the copy could belong to: create it first.`, { folder })
}

const PICKED = {
  filter: "user-only",
  command: "treelog fork --interactive",
  alternatives: "use `--before ENTRY` instead",
} as const

/**
 * Copies a session: all branches into a folder; with an entry, the path to it; or the path up to a user message, without it, and prints the
 * text of that message for editing. The source is only read.
 */
export async function fork(context: CommandContext, ref: string, options: ForkOptions): Promise<ExitCode> {
  const { leaf, before, interactive = false, to } = options
  if ([leaf !== undefined, before !== undefined, interactive].filter(Boolean).length > 1)
    throw new UsageError("Give one of --leaf, --before and --interactive.")
  const folder = to === undefined ? undefined : resolve(context.io.cwd, to)
  if (folder !== undefined) await requireFolder(folder)
  const found = await findSession(context, ref)
  const meant = found.source
  const copy = async (make: () => Promise<Session>, editorText?: string): Promise<ExitCode> => {
    await printNewSession(context, await withNewSession(context, make, (session) => session), editorText)
    return EXIT.ok
  }
  if (leaf === undefined && before === undefined && !interactive)
    return copy(async () => {
      const { key } = found
      await requireFolder(folder ?? meant.cwd)
      const sessions = await withWritableCopies(context, meant, key)
      await copyNamedBlobs(context, sessions, key)
      return (await ownManager(sessions)).forkFrom(key, folder ?? sessions.cwd)
    })
  const source = await openFound(context, found)
  const copyPath = async (leafId: string | undefined): Promise<Session> => {
    const sessions = await withWritableCopies(context, meant, found.key)
    if (folder === undefined && sessions.files) assertFolder(source.getCwd())
    return moveToFolder(sessions, await copyBranch(context, sessions, source, leafId), folder)
  }
  const named = leaf ?? before
  const entryId =
    named === undefined ? (await pickInTree(context, found, source, PICKED))?.entryId : findEntry(source, named)
  if (entryId === undefined) return EXIT.interrupted
  const said = leaf === undefined ? saidIn(source, entryId) : undefined
  if (before !== undefined && said === undefined)
    throw new UsageError(
      `${entryId} is not a message of the user; \`treelog tree --filter user-only\` shows those. --leaf forks at any entry.`,
      { id: entryId },
    )
  const leafId = said === undefined ? entryId : source.getBranch(entryId).at(-2)?.id
  return copy(() => copyPath(leafId), said)
}

/** A database has sessions of several machines, but a copy in files belongs to a folder here, unless the source has none. @throws UsageError */
function assertFolder(cwd: string): void {
  if (cwd === "" || new RealFolders().find(cwd)?.isThere) return
  throw new UsageError(`The folder of the session is gone: ${cwd}. --to names the folder that the copy belongs to.`, {
    folder: cwd,
  })
}

/** The path to an entry, as a session of the source's folder. @param leafId undefined: the new session is empty, and only names its parent */
async function copyBranch(
  context: CommandContext,
  sessions: Sessions<SessionStorage>,
  source: Session,
  leafId: string | undefined,
): Promise<Session> {
  const key = source.getSessionFile() ?? source.getSessionId()
  const manager = await projectManager(sessions, source, key)
  if (leafId === undefined) return manager.create(source.getCwd(), { persist: "create", parentSession: key })
  await copyNamedBlobs(context, sessions, key, source.getBranch(leafId))
  // Opened again with the blobs that a copy is written with.
  return (await manager.open(key, { access: "read" })).createBranchedSession(leafId)
}

/**
 * A manager that puts new sessions of a session's folder into the project that the store has that session in: its folder may be on
 * another machine, where its project cannot be known here.
 * @param key of the session
 */
async function projectManager(
  sessions: Sessions<SessionStorage>,
  source: Session,
  key: string,
): Promise<SessionManager> {
  const { storage, files, projectOf } = sessions
  if (files) return ownManager(sessions)
  const folder = source.getCwd()
  for await (const name of storage.find(source.getSessionId()))
    if (name.key === key && name.project !== undefined) {
      const { project } = name
      const inProject = (cwd: string): string | undefined => (cwd === folder ? project : projectOf(cwd))
      return managerWith({ storage, projectOf: inProject }, await storedBlobs(sessions)?.open())
    }
  return ownManager(sessions)
}

/** Moves a new session to another folder, if one is named. */
async function moveToFolder(
  sessions: Sessions<SessionStorage>,
  session: Session,
  folder: string | undefined,
): Promise<Session> {
  if (folder === undefined) return session
  await session.close()
  const manager = await ownManager(sessions)
  const moved = await moveSession(manager, session.getSessionFile() ?? session.getSessionId(), folder)
  return manager.open(moved, { access: "read" })
}

/** The text of a message of the user; undefined for another entry. */
function saidIn(session: Session, entryId: string): string | undefined {
  const entry = session.getEntry(entryId)
  if (!entry || !isEntry(entry, "message") || !isObject(entry.message) || entry.message.role !== "user")
    return undefined
  return contentText(entry.message.content)
}

import { resolve } from "node:path"
import type { Session } from "@treelog/session-core"
import { copyNamedBlobs } from "../blobs/copy-named-blobs.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import type { Sessions } from "../sessions/command-sessions.js"
import { withWritableCopies } from "../sessions/copy-to-write.js"
import { findEntry } from "../sessions/find-entry.js"
import { existingKey, withNewSession } from "../sessions/open-to-read-or-write.js"
import { printNewSession } from "../sessions/print-written.js"
import { moveToFolder } from "./fork/move-to-folder.js"
import { projectManager } from "./fork/project-manager.js"

export interface ForkOptions {
  /** Copy only the path to this entry. */
  readonly leaf?: string
  /** Copy only the path up to this message, without it. */
  readonly before?: string
  /** Let the user choose that message. */
  readonly interactive?: boolean
  /** The folder that the copy belongs to. */
  readonly to?: string
}

/** Copies a session: all branches into a folder, or, with an entry, the path to it. The source is only read. */
export async function fork(context: CommandContext, ref: string, options: ForkOptions): Promise<ExitCode> {
  const { leaf, before, interactive, to } = options
  if ([leaf !== undefined, before !== undefined, interactive === true].filter(Boolean).length > 1)
    throw new UsageError("Give one of --leaf, --before and --interactive.")
  const folder = to === undefined ? undefined : resolve(context.io.cwd, to)
  if (before !== undefined || interactive) {
    const { forkBefore } = await import("./fork/fork-before.js")
    return forkBefore(context, ref, { before, folder })
  }
  const make = async (asked: Sessions): Promise<Session> => {
    const key = await existingKey(asked, ref)
    const sessions = await withWritableCopies(context, asked, key)
    if (leaf !== undefined) return moveToFolder(sessions, await branchOff(context, sessions, key, leaf), folder)
    await copyNamedBlobs(context, sessions, key)
    return sessions.manager.forkFrom(key, folder ?? sessions.cwd)
  }
  await printNewSession(context, await withNewSession(context, make, (session) => session))
  return EXIT.ok
}

/** The path to an entry, as a session of the source's folder. */
async function branchOff(context: CommandContext, sessions: Sessions, key: string, leaf: string): Promise<Session> {
  const source = await sessions.manager.open(key, { access: "read" })
  const leafId = findEntry(source, leaf)
  await copyNamedBlobs(context, sessions, key, source.getBranch(leafId))
  const manager = await projectManager(sessions, source, key)
  return (await manager.open(key, { access: "read" })).createBranchedSession(leafId)
}

import { contentText, isEntry, type Session } from "@treelog/session-core"
import { isObject } from "@treelog-internal/text"
import { copyNamedBlobs } from "../../blobs/copy-named-blobs.js"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import type { Sessions } from "../../sessions/command-sessions.js"
import { withWritableCopies } from "../../sessions/copy-to-write.js"
import { findEntry } from "../../sessions/find-entry.js"
import { openForReading, withNewSession } from "../../sessions/open-to-read-or-write.js"
import { printNewSession } from "../../sessions/print-written.js"
import { pickerDisplay, requireTerminal, startPicker } from "../../tui/frame/start-picker.js"
import { MessagePicker } from "../../tui/messages/message-picker.js"
import { moveToFolder } from "./move-to-folder.js"
import { projectManager } from "./project-manager.js"

export interface ForkPlace {
  /** The message; undefined lets the user choose. */
  readonly before: string | undefined
  /** The folder that the copy belongs to; default: that of the source. An absolute path. */
  readonly folder: string | undefined
}

/** Copies the path up to a user message, without it, and prints the text of that message for editing. */
export async function forkBefore(context: CommandContext, ref: string, place: ForkPlace): Promise<ExitCode> {
  const source = await openForReading(context, ref)
  const messages = userMessages(source)
  const message =
    place.before === undefined
      ? await pickMessage(context, messages)
      : messageAt(messages, findEntry(source, place.before))
  if (!message) return EXIT.interrupted
  const make = async (asked: Sessions): Promise<Session> => {
    const sessions = await withWritableCopies(context, asked, source.getSessionFile() ?? "")
    return moveToFolder(sessions, await copied(context, sessions, source, message.entryId), place.folder)
  }
  const session = await withNewSession(context, make, (made) => made)
  await printNewSession(context, session, message.text)
  return EXIT.ok
}

/** Before the first message there is nothing to copy: then the new session only names its parent. */
async function copied(context: CommandContext, sessions: Sessions, source: Session, entryId: string): Promise<Session> {
  const parentSession = source.getSessionFile() ?? source.getSessionId()
  const manager = await projectManager(sessions, source, parentSession)
  const parent = source.getBranch(entryId).at(-2)
  if (!parent) return manager.create(source.getCwd(), { persist: "create", parentSession })
  await copyNamedBlobs(context, sessions, parentSession, source.getBranch(parent.id))
  // Opened again with the blobs that a copy is written with.
  return (await manager.open(parentSession, { access: "read" })).createBranchedSession(parent.id)
}

function messageAt(messages: readonly UserMessage[], entryId: string): UserMessage {
  const message = messages.find((one) => one.entryId === entryId)
  if (message) return message
  throw new UsageError(
    `${entryId} is not a message of the user; \`treelog tree --filter user-only\` shows those. --leaf forks at any entry.`,
    { id: entryId },
  )
}

const ALTERNATIVES = "use `--before ENTRY` instead"

/** Lets the user choose a message. @returns undefined when the user left */
export async function pickMessage(
  context: CommandContext,
  messages: readonly UserMessage[],
): Promise<UserMessage | undefined> {
  const terminal = requireTerminal(context, "treelog fork --interactive", ALTERNATIVES)
  if (messages.length === 0) throw new UsageError("The session has no message of the user to fork before.")
  const look = pickerDisplay(context)
  return startPicker(new MessagePicker(messages, look), terminal, look, context.io.interrupted)
}

/** A user message. */
export interface UserMessage {
  readonly entryId: string
  readonly text: string
  /** ISO 8601, as far as it was written so. */
  readonly timestamp: string
  /** Whether it is on the current branch. */
  readonly isActive: boolean
}

/** The user messages of all branches, in the order of the file. */
export function userMessages(session: Session): UserMessage[] {
  const active = new Set(session.getBranch().map(({ id }) => id))
  return session.getEntries().flatMap((entry) => {
    if (!isEntry(entry, "message") || !isObject(entry.message) || entry.message.role !== "user") return []
    const { id, timestamp } = entry
    return { entryId: id, text: contentText(entry.message.content), timestamp, isActive: active.has(id) }
  })
}

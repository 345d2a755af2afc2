import type { Diagnostic, Session } from "@treelog/session-core"
import { cleanLine, cleanTabbed } from "@treelog-internal/text"
import type { CommandContext } from "../io/command-context.js"

/**
 * Prints what is needed to continue a session that was just made: its id and its path.
 * @param editorText the text to edit, printed below
 */
export async function printNewSession(context: CommandContext, session: Session, editorText?: string): Promise<void> {
  const sessionId = session.getSessionId()
  const path = session.getSessionFile()
  const made = { sessionId, path, cwd: session.getCwd(), leafId: session.getLeafId() }
  const text = editorText === undefined ? [] : [cleanTabbed(editorText)]
  await context.report({ ...made, ...(editorText !== undefined && { editorText }) }, [
    `${cleanLine(sessionId)}  ${cleanLine(path)}`,
    ...text,
  ])
}

/** Prints the id of an entry that was just written. */
export async function printAppended(
  context: CommandContext,
  { session, entryId, ...more }: { session: Session; entryId: string },
): Promise<void> {
  const where = { sessionId: session.getSessionId(), path: session.getSessionFile() }
  await context.report({ ...where, entryId, leafId: session.getLeafId(), ...more }, [cleanLine(entryId)])
}

/** Says what could not be had of a session, each thing once. */
export async function printDiagnostics(context: CommandContext, diagnostics: readonly Diagnostic[]): Promise<void> {
  for (const message of new Set(diagnostics.map(({ message }) => message))) await context.log(message)
}

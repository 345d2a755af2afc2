import { type Diagnostic, type Session, TreelogError } from "@treelog/session-core"
import { followMoves } from "@treelog/session-core/adapter"
import { cleanLine, cleanTabbed, plural } from "@treelog-internal/text"
import { UsageError } from "../errors/exit-codes.js"
import { type CommandContext, Progress } from "../io/command-context.js"
import { readOnlyManager, requireWritable, type Sessions, writingManager } from "../store/command-sessions.js"
import { findSession, findToRead } from "./find-session.js"
import { openLibrary } from "./open-library.js"

export const READING = "Reading the session"

/** A session that was found, as far as it takes to open it. */
export interface StoredSession {
  readonly source: Sessions
  readonly key: string
}

/** Finds a session, by default the newest, and opens it without writing a byte. */
export async function openForReading(context: CommandContext, ref?: string): Promise<Session> {
  return openFound(context, await findToRead(context, ref))
}

/** Opens a session without writing a byte, and reports on stderr when a part of it could not be read. */
export async function openFound(context: CommandContext, { source, key }: StoredSession): Promise<Session> {
  const opening = readOnlyManager(source, key).then((manager) => manager.open(key, { access: "read" }))
  const session = await new Progress(context).during(opening, () => READING)
  const { length } = session.getDiagnostics()
  if (length > 0) await context.log(`${plural(length, "note")} on this session: \`treelog verify\` names them.`)
  return session
}

type Work<Result> = (session: Session) => Result | Promise<Result>

/**
 * Opens an existing session exclusively for writing, and closes it afterwards: with everything on disk if the work
 * succeeds, with nothing more written if it fails or is interrupted.
 * @param meant a reference, or a session that was found
 */
export function withSession<Result>(
  context: CommandContext,
  meant: string | StoredSession,
  work: Work<Result>,
): Promise<Result> {
  return withNewSession(
    context,
    () => (typeof meant === "string" ? openMoving(context, meant) : openToWrite(meant, meant.key)),
    work,
  )
}

/** Makes a session, does the work on it, and closes it. */
export function withNewSession<Result>(
  context: CommandContext,
  make: () => Promise<Session>,
  work: Work<Result>,
): Promise<Result> {
  const worked = async (): Promise<Result> => {
    const session = await new Progress(context).during(make(), () => READING)
    try {
      context.io.interrupted.throwIfAborted()
      const result = await work(session)
      await session.close()
      return result
    } catch (error) {
      await session.discard()
      throw error
    }
  }
  return context.hold(worked())
}

/** Opens what a reference means, also where another process moves it meanwhile. */
async function openMoving(context: CommandContext, ref: string): Promise<Session> {
  const library = await openLibrary(context)
  let found: StoredSession | undefined
  return followMoves(
    async () => {
      found = await findSession(context, ref, library)
      return found.key
    },
    () => openToWrite(found as StoredSession, ref),
  )
}

async function openToWrite({ source: sessions, key }: StoredSession, ref: string): Promise<Session> {
  requireWritable(sessions, ref)
  return (await writingManager(sessions, key)).open(key, { access: "exclusive" })
}

/** How many of the ids that a prefix fits are named. */
const NAMED = 5

/**
 * The id of the entry that is meant: by its whole id, or by the beginning of it that no other entry shares.
 * @throws EntryNotFoundError, and UsageError when several fit
 */
export function findEntry(session: Session, ref: string): string {
  if (session.getEntry(ref)) return ref
  const all = new Set(session.getEntries().flatMap(({ id }) => (ref !== "" && id.startsWith(ref) ? id : [])))
  const fitting = new Set([...all].filter((id) => !isBeside(id, all)))
  const [only] = fitting
  if (only === undefined) {
    const message = `No entry of this session has an id that begins with ${JSON.stringify(ref)}; \`treelog tree\` shows them.`
    throw new TreelogError("EntryNotFoundError", message, { id: ref })
  }
  if (fitting.size === 1) return only
  const candidates = [...fitting]
  const some = candidates.slice(0, NAMED).join(", ") + (candidates.length > NAMED ? ", …" : "")
  const message = `${JSON.stringify(ref)} may mean ${plural(candidates.length, "entry", "entries")}: ${some}.`
  throw new UsageError(message, { id: ref, candidates }, "AmbiguousEntryError")
}

/** Whether an entry stands beside one of others, as one that was converted with the id `ID:sent` beside that with the id `ID`. */
function isBeside(id: string, others: ReadonlySet<string>): boolean {
  for (let at = id.indexOf(":"); at > 0; at = id.indexOf(":", at + 1)) if (others.has(id.slice(0, at))) return true
  return false
}

/** The entry that a reference names; null for `root`, which is before everything. */
export function findEntryOrRoot(session: Session, ref: string): string | null {
  return ref === "root" ? null : findEntry(session, ref)
}

/** Which session a document of JSON is about, and where it stands. */
export function sessionFields(session: Session) {
  return { sessionId: session.getSessionId(), path: session.getSessionFile(), leafId: session.getLeafId() }
}

/**
 * Prints what is needed to continue a session that was just made: its id and its path.
 * @param editorText the text to edit, printed below
 */
export async function printNewSession(context: CommandContext, session: Session, editorText?: string): Promise<void> {
  const { sessionId, path, leafId } = sessionFields(session)
  const text = editorText === undefined ? [] : [cleanTabbed(editorText)]
  const line = `${cleanLine(sessionId)}  ${cleanLine(path)}`
  await context.report({ sessionId, path, cwd: session.getCwd(), leafId, editorText }, [line, ...text])
}

/** Prints the id of an entry that was just written. */
export async function printAppended(
  context: CommandContext,
  { session, entryId, ...more }: { session: Session; entryId: string },
): Promise<void> {
  await context.report({ ...sessionFields(session), entryId, ...more }, [cleanLine(entryId)])
}

/** Says what could not be had of a session, each thing once. */
export async function printDiagnostics(context: CommandContext, diagnostics: readonly Diagnostic[]): Promise<void> {
  for (const message of new Set(diagnostics.map(({ message }) => message))) await context.log(message)
}

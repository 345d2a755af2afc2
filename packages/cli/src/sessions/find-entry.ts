import { type Session, TreelogError } from "@treelog/session-core"
import { plural } from "@treelog-internal/text"
import { UsageError } from "../errors/usage-error.js"

/** How many of the ids that a prefix fits are named. */
const NAMED = 5

/**
 * The id of the entry that is meant: by its whole id, or by the beginning of it that no other entry shares.
 * @throws EntryNotFoundError, and UsageError when several fit
 */
export function findEntry(session: Session, ref: string): string {
  if (session.getEntry(ref)) return ref
  const fitting = new Set(session.getEntries().flatMap(({ id }) => (ref !== "" && id.startsWith(ref) ? id : [])))
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

/** The entry that a reference names; null for `root`, which is before everything. */
export function findEntryOrRoot(session: Session, ref: string): string | null {
  return ref === "root" ? null : findEntry(session, ref)
}

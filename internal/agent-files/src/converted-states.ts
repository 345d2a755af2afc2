import type { SessionInfo } from "@treelog/session-core"
import type { SessionFacts } from "@treelog/session-core/adapter"
import type { SessionRows } from "@treelog-internal/fs"
import type { SourceSession } from "./agent-source.js"
import type { Piece, Segment } from "./segments.js"

const CONVERTED = "converted"

/** What a session was converted to. */
export interface ConvertedState {
  /** The version of the source and of the conversion. */
  readonly version: string
  /** Bytes. */
  readonly size: number
  readonly identity: string
  /** Of the bytes, in hexadecimal. */
  readonly digest: string
  readonly segments: readonly Segment[]
  /** Where a conversion can go on. */
  readonly checkpoint?: StoredCheckpoint | undefined
  /** Undefined of what is no session. */
  readonly counts?: SessionCounts | undefined
}

/** A place in converted bytes, and what their conversion has to know there. */
export interface StoredCheckpoint {
  /** Bytes before it. */
  readonly size: number
  /** What of those the last segment has. */
  readonly cut?: Piece | undefined
  /** The digest of the file with the state. */
  readonly state: string
  /** Of the source when it was converted last. */
  readonly source: Pick<SourceSession, "size" | "modified">
}

/** What only those know of a session who have read all of it. */
const COUNTED = ["messageCount", "model", "usages"] as const
export type SessionCounts = Partial<Pick<SessionFacts, (typeof COUNTED)[number]>>

/** The facts of a session that were counted, and the others. */
export function splitFacts(facts: SessionFacts): { counts: SessionCounts; others: Omit<SessionInfo, "path"> } {
  const others: Partial<SessionFacts> = { ...facts }
  for (const name of COUNTED) delete others[name]
  const counts = Object.fromEntries(COUNTED.flatMap((name) => (name in facts ? [[name, facts[name]]] : [])))
  return { counts, others: others as SessionFacts }
}

/** What the sessions of one store were converted to, whatever their version was. */
export class ConvertedStates {
  readonly #rows: SessionRows

  constructor(rows: SessionRows) {
    this.#rows = rows
  }

  get(key: string): ConvertedState | undefined {
    const fact = this.#rows.fact(CONVERTED, key)
    if (!fact) return undefined
    const [size, identity, digest, segments = [{ size, digest }], checkpoint] = fact.brief as [
      ...[size: number, identity: string, digest: string],
      ...[segments?: readonly Segment[], checkpoint?: StoredCheckpoint],
    ]
    return {
      ...{ version: fact.version, size, identity, digest, segments, checkpoint },
      get counts() {
        return (fact.value ?? undefined) as SessionCounts | undefined
      },
    }
  }

  put(key: string, { version, size, identity, digest, segments, checkpoint, counts }: ConvertedState): void {
    const more = segments.length > 1 || checkpoint ? [segments, ...(checkpoint ? [checkpoint] : [])] : []
    this.#rows.putFact(CONVERTED, key, { version, brief: [size, identity, digest, ...more], value: counts })
  }
}

import type { SessionInfo } from "@treelog/session-core"
import type { SessionFacts } from "@treelog/session-core/adapter"
import type { SessionRows } from "@treelog-internal/fs"

const CONVERTED = "converted"

/** What a session was converted to. */
export interface ConvertedState {
  /** The version of the source and of the conversion. */
  readonly version: string
  /** Bytes. */
  readonly size: number
  readonly identity: string
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly digest: string
  /** Undefined of what is no session. */
  readonly counts?: SessionCounts | undefined
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
    const [size, identity, digest] = fact.brief as [number, string, string]
    return {
      ...{ version: fact.version, size, identity, digest },
      get counts() {
        return (fact.value ?? undefined) as SessionCounts | undefined
      },
    }
  }

  put(key: string, { version, size, identity, digest, counts }: ConvertedState): void {
    this.#rows.putFact(CONVERTED, key, { version, brief: [size, identity, digest], value: counts })
  }
}

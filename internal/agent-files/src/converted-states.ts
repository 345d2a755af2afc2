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
export type SessionCounts = { readonly [Key in "messageCount" | "model" | "usages"]: SessionFacts[Key] | undefined }

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

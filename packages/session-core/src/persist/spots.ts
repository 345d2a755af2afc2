import { isJsonObject } from "../entry/json-object.js"

/** A position inside an entry, linked to the positions above it. */
export interface Spot {
  readonly holder: object
  readonly key: string | number
  readonly value: unknown
  /** The spot of `holder`; undefined if that is the top. */
  readonly up: Spot | undefined
}

/** Fields with signatures or encrypted data. Neither they nor the object that contains one may be changed. */
export const SIGNATURES = ["thinkingSignature", "textSignature", "thoughtSignature"] as const
export const SEALED: ReadonlySet<unknown> = new Set(["redactedThinking", "encrypted_content"])

/**
 * Iterates over every value inside `top`, at any depth, without recursion. `sealed` is true inside signed or encrypted data.
 * @param isClosed whether to skip the values inside a value
 */
export function* spotsIn(
  top: object,
  isClosed: (spot: Spot) => boolean = () => false,
): Generator<{ spot: Spot; sealed: boolean }> {
  const open: { holder: object; up: Spot | undefined; sealed: boolean }[] = [
    { holder: top, up: undefined, sealed: false },
  ]
  for (let next = open.pop(); next; next = open.pop()) {
    const { holder, up } = next
    const isInside = next.sealed || isSigned(holder)
    for (const key of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
      const value = (holder as Record<string | number, unknown>)[key]
      const spot = { holder, key, value, up }
      const sealed = isInside || SEALED.has(key)
      yield { spot, sealed }
      if (typeof value === "object" && value !== null && !isClosed(spot)) open.push({ holder: value, up: spot, sealed })
    }
  }
}

function isSigned(holder: object): boolean {
  if (!isJsonObject(holder)) return false
  return holder.type === "redactedThinking" || SIGNATURES.some((name) => Boolean(holder[name]))
}

import { isJsonObject, type JsonObject } from "../entry/json-object.js"

type Container = JsonObject | unknown[]

/** A position inside an entry, linked to the positions above it. */
export interface Spot {
  readonly holder: Container
  readonly key: string | number
  readonly value: unknown
  /** The spot of `holder`; undefined if that is the top. */
  readonly up: Spot | undefined
}

/** Fields with signatures or encrypted data. Neither they nor the object that contains one may be changed. */
export const SIGNATURES = ["thinkingSignature", "textSignature", "thoughtSignature"] as const
export const SEALED = new Set(["redactedThinking", "encrypted_content"])

/**
 * Iterates over every value inside `top`, at any depth, without recursion. `sealed` is true inside signed or encrypted data.
 * @param isClosed whether to skip the values inside a value
 */
export function* spotsIn(
  top: Container,
  isClosed: (spot: Spot) => boolean = () => false,
): Generator<{ spot: Spot; sealed: boolean }> {
  const open: { holder: Container; up: Spot | undefined; sealed: boolean }[] = [
    { holder: top, up: undefined, sealed: false },
  ]
  for (let next = open.pop(); next; next = open.pop()) {
    const { holder, up } = next
    const sealed = next.sealed || isSigned(holder)
    for (const key of keysOf(holder)) {
      const spot: Spot = { holder, key, value: valueAt(holder, key), up }
      const isSealed = sealed || (typeof key === "string" && SEALED.has(key))
      yield { spot, sealed: isSealed }
      if (typeof spot.value === "object" && spot.value !== null && !isClosed(spot)) {
        open.push({ holder: spot.value as Container, up: spot, sealed: isSealed })
      }
    }
  }
}

function isSigned(holder: Container): boolean {
  if (!isJsonObject(holder)) return false
  return holder.type === "redactedThinking" || SIGNATURES.some((name) => Boolean(holder[name]))
}

function keysOf(holder: Container): (string | number)[] {
  return Array.isArray(holder) ? [...holder.keys()] : Object.keys(holder)
}

export function valueAt(holder: Container, key: string | number): unknown {
  return (holder as Record<string | number, unknown>)[key]
}

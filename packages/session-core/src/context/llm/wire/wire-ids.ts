/** The longest tool call id that all providers accept; OpenAI's chat completions have the lowest limit. Characters. */
const LONGEST_ID = 40

/** The longest tool name that all providers accept. Characters. */
const MAX_NAME_LENGTH = 64

const FORBIDDEN = /[^a-zA-Z0-9_-]/g

/**
 * Maps tool call ids to ids that every provider accepts: the first part of `call_1|fc_1`, which pi joins from two ids of OpenAI;
 * only letters, digits, `_` and `-`; of limited length; and unique.
 */
export class WireIds {
  readonly #ids = new Map<string, string>()
  readonly #taken = new Set<string>()

  of(id: string): string {
    const known = this.#ids.get(id)
    if (known !== undefined) return known
    const free = this.#freeIdLike(id.replace(/\|.*$/s, "").replace(FORBIDDEN, "_") || "call")
    this.#ids.set(id, free)
    this.#taken.add(free)
    return free
  }

  #freeIdLike(id: string): string {
    let free = id.slice(0, LONGEST_ID)
    for (let number = 2; this.#taken.has(free); number++) {
      const suffix = `_${number}`
      free = id.slice(0, LONGEST_ID - suffix.length) + suffix
    }
    return free
  }
}

/** The name of a tool as every provider accepts it. */
export function wireToolName(name: string): string {
  return name.replace(FORBIDDEN, "_").slice(0, MAX_NAME_LENGTH)
}

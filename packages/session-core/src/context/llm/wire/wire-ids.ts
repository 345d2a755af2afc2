/** The longest id of a call that all take; OpenAI's chat completions draw the line here. Characters. */
const LONGEST_ID = 40

/** The longest name of a tool that all take. Characters. */
const MAX_NAME_LENGTH = 64

const FORBIDDEN = /[^a-zA-Z0-9_-]/g

/**
 * The ids of calls as every provider takes them: of `call_1|fc_1`, which pi makes of two ids of OpenAI, the first; letters,
 * digits, `_` and `-` only; not too long; and no two the same.
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

/** The name of a tool as every provider takes it. */
export function wireToolName(name: string): string {
  return name.replace(FORBIDDEN, "_").slice(0, MAX_NAME_LENGTH)
}

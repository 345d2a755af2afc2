import { contentText, type SessionTreeNode } from "@treelog/session-core"
import { foldPrompt } from "@treelog/session-core/prompt-history"
import { entryLine, isObject } from "@treelog-internal/text"

/** UTF-16 units of an entry that are searched: a tool's result may be a whole file. */
const SEARCHED = 4000

/** Finds nodes by their label, by role, and by text. Each is read when it is first searched, and cached. */
export class TreeSearch {
  readonly #folded = new WeakMap<SessionTreeNode, string>()

  /** @param terms folded */
  holds(node: SessionTreeNode, terms: readonly string[]): boolean {
    if (terms.length === 0) return true
    const known = this.#folded.get(node) ?? textOf(node)
    this.#folded.set(node, known)
    return terms.every((term) => known.includes(term))
  }
}

function textOf({ entry, label = "" }: SessionTreeNode): string {
  const { who, text } = entryLine(entry)
  const { message } = entry as { message?: unknown }
  const whole = isObject(message) ? contentText(message.content).slice(0, SEARCHED) : ""
  return foldPrompt([label, entry.id, who, text, whole].join("\n"))
}

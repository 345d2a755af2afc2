import { isObject, type Json } from "../kit.js"

/** A document, as the changes of a log make it. */
export class ChangedDocument {
  value: unknown

  /** Applies a change. @returns false where it fits nothing in the document, or is none */
  apply({ kind, k: path, v: value, i: index }: Json): boolean {
    if (kind === 0) {
      this.value = value
      return true
    }
    if (!Array.isArray(path) || path.length === 0) return false
    // Where the first line is damaged, requests can be read without it.
    if (this.value === undefined && path[0] === "requests") this.value = {}
    const parent = path.slice(0, -1).reduce(ownOf, this.value)
    const name: PropertyKey = path.at(-1)
    if (!canHave(parent, name)) return false
    if (kind === 1 || kind === 3) parent[name] = value
    else if (kind === 2) {
      const list = ownOf(parent, name) ?? []
      if (!Array.isArray(list)) return false
      if (typeof index === "number" && index < list.length) list.length = Math.max(0, Math.trunc(index))
      if (Array.isArray(value)) for (const one of value) list.push(one)
      parent[name] = list
    } else return false
    return true
  }
}

function ownOf(parent: unknown, name: PropertyKey): unknown {
  return canHave(parent, name) && Object.hasOwn(parent, name) ? parent[name] : undefined
}

/** A list gets no holes: a damaged log would make one of any length. */
function canHave(parent: unknown, name: PropertyKey): parent is Record<PropertyKey, unknown> {
  if (Array.isArray(parent)) return Number.isInteger(name) && Number(name) >= 0 && Number(name) <= parent.length
  return isObject(parent) && typeof name === "string" && name !== "__proto__"
}

import { damagedEntry, type EntryHead } from "../../entry/entry.js"
import type { JsonObject } from "../../entry/values.js"
import { EntryTree } from "../../tree/entry-tree.js"
import { isChanged, type RepairItem, type RepairLog } from "./repair-item.js"

/**
 * Gives every item an id of its own and a parent that is there (FORMAT.md, section 5). What has lost its parent is linked to
 * the entry before it in the file, since that is what it was most likely appended to.
 */
export function repairLinks(items: readonly RepairItem[], nextId: () => string, log: RepairLog): void {
  giveIds(items, nextId, log)
  separateTwins(items, nextId, log)
  relink(items, log)
}

function giveIds(items: readonly RepairItem[], nextId: () => string, log: RepairLog): void {
  let previous: string | null = null
  let time = ""
  for (const item of items) {
    const { value } = item
    const given = { parentId: parentOf(value, previous), timestamp: value.timestamp ?? time }
    if (typeof value.type !== "string") {
      const id = isId(value.id) ? value.id : nextId()
      const done = `An object without a type became the entry ${id}, which holds it.`
      become(item, damagedEntry({ type: "custom", id, ...given } as EntryHead, value), done, log)
    } else if (!isId(value.id)) {
      const { type, id: _id, parentId: _parentId, timestamp: _timestamp, ...rest } = value
      const id = nextId()
      become(item, { type, id, ...given, ...rest }, `A record without an id got the id ${id}.`, log)
    } else if (given.parentId !== value.parentId) {
      set(item, "parentId", given.parentId)
      log.addEntry(item, "missing-parent", "An entry without a parent field was linked to the entry before it.")
    }
    previous = item.value.id as string
    if (typeof item.value.timestamp === "string") time = item.value.timestamp
  }
}

function isId(id: unknown): id is string {
  return typeof id === "string" && id !== ""
}

function parentOf({ parentId }: JsonObject, previous: string | null): string | null {
  return parentId === null || typeof parentId === "string" ? parentId : previous
}

/** What the repair itself made was reported already. */
function become(item: RepairItem, value: JsonObject, message: string, log: RepairLog): void {
  const wasRead = !isChanged(item)
  item.value = value
  if (wasRead) log.addEntry(item, "not-an-entry", message)
}

/** Of entries with the same id the last keeps it. What was appended between two of them was appended to the earlier one. */
function separateTwins(items: readonly RepairItem[], nextId: () => string, log: RepairLog): void {
  const last = new Map(items.map((item, ordinal) => [item.value.id, ordinal]))
  const renamed = new Map<unknown, string>()
  items.forEach((item, ordinal) => {
    const parent = renamed.get(item.value.parentId)
    if (parent !== undefined) set(item, "parentId", parent)
    const { id } = item.value
    if (last.get(id) === ordinal) {
      renamed.delete(id)
      return
    }
    const fresh = nextId()
    renamed.set(id, fresh)
    set(item, "id", fresh)
    log.addEntry(item, "duplicate-id", `The id ${String(id)} is used again further on; this entry is ${fresh} now.`)
  })
}

function relink(items: readonly RepairItem[], log: RepairLog): void {
  const tree = new EntryTree(items.map((item) => item.value as unknown as EntryHead))
  const linkToNearestBefore = linksIn(tree)
  for (const { kind, ordinal, message } of tree.faults()) {
    const item = items[ordinal]
    if (!item) continue
    const parent = linkToNearestBefore(ordinal)
    const parentId = parent === undefined ? null : (items[parent]?.value.id as string)
    set(item, "parentId", parentId)
    const done = parentId === null ? "It is a root now." : `It was linked to the entry before it, ${parentId}.`
    log.addEntry(item, kind, `${message} ${done}`)
  }
}

/**
 * The trees of a session while roots that should be none are linked: each link is seen by those that follow it. The function makes the nearest entry
 * before a root that does not descend from it its parent, and returns that; undefined where there is none.
 */
function linksIn(tree: EntryTree): (root: number) => number | undefined {
  const ordinals = Array.from({ length: tree.size }, (_, ordinal) => ordinal)
  /** Of each entry one that is above it in its tree, the root at best; the root itself of a root. */
  const above = ordinals.map((ordinal) => tree.parentOf(ordinal) ?? ordinal)
  /** All entries behind this one, up to the entry itself, are known to be in the entry's tree. */
  const sameSince = ordinals.map((ordinal) => ordinal - 1)
  const rootOf = (ordinal: number): number => {
    let at = ordinal
    while (above[at] !== at) {
      const next = above[at] as number
      // Halving the path keeps walks short, however deep the tree is.
      above[at] = above[next] as number
      at = next
    }
    return at
  }
  return (root) => {
    let at = root - 1
    while (at >= 0 && rootOf(at) === root) at = sameSince[at] as number
    sameSince[root] = at
    if (at < 0) return undefined
    above[root] = at
    return at
  }
}

export function set(item: RepairItem, field: string, value: unknown): void {
  item.value = { ...item.value, [field]: value }
}

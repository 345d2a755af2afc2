import { damagedEntry } from "../../entry/damaged-entry.js"
import type { Diagnostic } from "../../entry/diagnostic.js"
import type { EntryHead, SessionEntry } from "../../entry/entry.js"
import { SessionState } from "../session-state.js"
import { EntryChecks } from "./check-entries.js"
import type { RepairItem, RepairLog } from "./repair-item.js"
import { set } from "./repair-links.js"

/** Repairs references between entries: labels, leaves and compactions that point nowhere, messages that are none. */
export function repairFields(items: readonly RepairItem[], log: RepairLog): void {
  const state = new SessionState()
  for (const { value } of items) state.add(value as unknown as SessionEntry)
  state.settle()
  const checks = new EntryChecks(state)
  const faults = [...state.iterateEntries()].flatMap(([ordinal, entry]) => checks.of(ordinal, entry))
  for (const fault of [...state.diagnostics, ...faults]) {
    const ordinal = fault.entryId === undefined ? undefined : state.tree.ordinalOf(fault.entryId)
    const item = ordinal === undefined ? undefined : items[ordinal]
    const done = item && repairField(item, fault)
    if (done) log.addEntry(item, fault.kind, `${fault.message} ${done}`)
  }
}

/** Returns what was done; undefined for a fault that is repaired elsewhere. */
function repairField(item: RepairItem, { kind }: Diagnostic): string | undefined {
  const { type, id, parentId } = item.value
  if (kind === "unknown-compaction-boundary") {
    set(item, "firstKeptEntryId", id)
    return "It says now that it keeps nothing, which is what every reader made of it."
  }
  if (kind === "checkpoint-mismatch") {
    const { settings: _, ...rest } = item.value
    item.value = rest
    return "The settings were taken out; readers find them on the path."
  }
  if (kind === "unknown-leaf-target") {
    set(item, "targetId", parentId)
    return "It points at its own parent now."
  }
  if (kind !== "unknown-label-target" && kind !== "invalid-field") return undefined
  item.value = damagedEntry(item.value as unknown as EntryHead, { entry: item.value })
  return `The ${String(type)} entry is kept inside an entry of its own.`
}

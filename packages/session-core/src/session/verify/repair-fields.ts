import { damagedEntry } from "../../entry/damaged-entry.js"
import type { Diagnostic } from "../../entry/diagnostic.js"
import type { EntryHead, SessionEntry } from "../../entry/entry.js"
import { SessionState } from "../session-state.js"
import type { RepairChange, RepairItem } from "./repair-item.js"
import { changeOf, set } from "./repair-links.js"
import { contentFaults } from "./verify-log.js"

/** Repairs references between entries: labels, leaves and compactions that point nowhere, messages that are none. */
export function repairFields(items: readonly RepairItem[], changes: RepairChange[]): void {
  const state = new SessionState()
  for (const { value } of items) state.add(value as unknown as SessionEntry)
  state.settle()
  for (const fault of [...state.diagnostics, ...contentFaults(state)]) {
    const ordinal = fault.entryId === undefined ? undefined : state.tree.ordinalOf(fault.entryId)
    const item = ordinal === undefined ? undefined : items[ordinal]
    if (item) repairField(item, fault, changes)
  }
}

function repairField(item: RepairItem, { kind, message }: Diagnostic, changes: RepairChange[]): void {
  const done = (what: string): void => {
    changes.push(changeOf(item, kind, `${message} ${what}`))
  }
  if (kind === "unknown-compaction-boundary") {
    set(item, "firstKeptEntryId", item.value.id)
    done("It says now that it keeps nothing, which is what every reader made of it.")
  } else if (kind === "checkpoint-mismatch") {
    const { settings: _, ...rest } = item.value
    item.value = rest
    item.changed = true
    done("The settings were taken out; readers find them on the path.")
  } else if (kind === "unknown-leaf-target") {
    set(item, "targetId", item.value.parentId)
    done("It points at its own parent now.")
  } else if (kind === "unknown-label-target" || kind === "invalid-field") {
    const { type } = item.value
    item.value = damagedEntry(item.value as unknown as EntryHead, { entry: item.value })
    item.changed = true
    done(`The ${String(type)} entry is kept inside an entry of its own.`)
  }
}

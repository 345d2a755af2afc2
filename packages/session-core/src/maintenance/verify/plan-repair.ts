import type { Diagnostic } from "../../entry/diagnostic.js"
import {
  CURRENT_VERSION,
  DAMAGED,
  damagedEntry,
  type EntryHead,
  type SessionEntry,
  type SessionHeader,
} from "../../entry/entry.js"
import { TreelogError } from "../../errors.js"
import { joinBytes } from "../../log/bytes.js"
import type { Line } from "../../log/line.js"
import { versionOf } from "../../log/session-log.js"
import { type ByteEdit, editedParts, type Part } from "../../log/splice.js"
import { migrate } from "../../migrate/migrate.js"
import { freshEntryId, type IdSource } from "../../ports/ids.js"
import { assertSupported } from "../../session/session-errors.js"
import { SessionState } from "../../session/session-state.js"
import { entryChecks } from "./check-entries.js"
import {
  isChanged,
  itemLine,
  type RepairChange,
  type RepairItem,
  RepairLog,
  type RepairStretch,
  takeApart,
} from "./repair-item.js"
import { repairLinks, set } from "./repair-links.js"

/** The type of the first line of what @treelog/agent-sdks stores. Later lines can look like entries that lost their header. */
const OBJECT = "treelog.object"

interface RepairPlan {
  /** The repaired session: bytes of the damaged one, and new lines. */
  readonly parts: readonly Part[]
  readonly changes: readonly RepairChange[]
}

/** What a repair cannot know from the lines alone. */
interface RepairKnowledge {
  /** The header of a session that lost its own, from the file's name and its neighbours. Asked for only where it is needed. */
  lostHeader(): Promise<SessionHeader>
  readonly ids: IdSource
}

/**
 * Plans how a damaged session is repaired (FORMAT.md, section 4). Nothing is dropped: what cannot be read is kept in an
 * entry of its own. Lines that need no repair are copied as bytes. Pure; the caller carries it out, with a backup.
 * @throws UnsupportedVersionError for a version that this release cannot write; InvalidSessionError for what is not a session
 */
export async function planRepair(lines: readonly Line[], key: string, knowledge: RepairKnowledge): Promise<RepairPlan> {
  const log = new RepairLog()
  const stretches = lines.flatMap((line) => takeApart(line, log) ?? [])
  const all = stretches.flatMap(({ items }) => items)
  const titleSlot = all.find(isTitleSlot)
  const found = findHeader(all, key)
  const header = found ?? (await givenBack(key, knowledge, all, log))
  await completeHeader(header, knowledge, log)
  const entries = all.filter((item) => item !== header && item !== titleSlot)
  putFirst(header, stretches, titleSlot, log)
  wrapExtraHeaders(entries, log)
  migrateItems(header, entries, log)
  repairLinks(entries, freshIds(knowledge.ids, all), log)
  repairFields(entries, log)
  return { parts: partsOf(stretches, lines.at(-1), log), changes: log.changes }
}

/** omp's title line, which stands in front of the header and is not an entry. */
function isTitleSlot({ value: { type, id } }: RepairItem, index: number): boolean {
  return index === 0 && type === "title" && id === undefined
}

function findHeader(items: readonly RepairItem[], key: string): RepairItem | undefined {
  const header = items.find(({ value }) => value.type === "session" && typeof value.id === "string" && value.id !== "")
  if (!header) return undefined
  const value = header.value as SessionHeader
  assertSupported({ header: value, version: versionOf(value) }, key)
  return header
}

/** A header for a session that lost its own. Its time is that of the first entry. */
async function givenBack(
  key: string,
  knowledge: RepairKnowledge,
  items: readonly RepairItem[],
  log: RepairLog,
): Promise<RepairItem> {
  if (items[0]?.value.type === OBJECT) {
    const message = `${key} is an object of @treelog/agent-sdks, not a session. It was not touched.`
    throw new TreelogError("InvalidSessionError", message, { key, found: OBJECT })
  }
  if (!items.some(isEntryLike)) {
    const message = `${key} has no header, and no line of it is an entry: it is not a session. It was not touched.`
    throw new TreelogError("InvalidSessionError", message, { key, found: "no line that is an entry" })
  }
  const lost = await knowledge.lostHeader()
  const first = items.find(({ value }) => typeof value.timestamp === "string")
  const header: SessionHeader = first ? { ...lost, timestamp: first.value.timestamp as string } : lost
  const [id, cwd] = [JSON.stringify(header.id), JSON.stringify(header.cwd)]
  const message = `A header was put in front: the id ${id} and the folder ${cwd} are from the file's name and its neighbours.`
  log.changes.unshift({ kind: "missing-header", line: 1, offset: 0, message })
  return { line: 1, offset: 0, value: header }
}

/** A record of the file that has a type and a time, as every entry of every version has. */
function isEntryLike({ original, value }: RepairItem): boolean {
  return original !== undefined && typeof value.type === "string" && typeof value.timestamp === "string"
}

/** Makes the header the first item behind the title slot, also where it is new or unreadable lines precede it. */
function putFirst(
  header: RepairItem,
  stretches: readonly RepairStretch[],
  titleSlot: RepairItem | undefined,
  log: RepairLog,
): void {
  const first = stretches.find(({ items }) => items[0] !== titleSlot)
  if (!first || first.items[0] === header) return
  const former = stretches.find(({ items }) => items.includes(header))
  if (former) {
    former.items.splice(former.items.indexOf(header), 1)
    former.split = true
    log.add(header, "missing-header", "The header stood behind other lines; it is the first one now.")
  }
  first.items.unshift(header)
  first.split = true
}

/** Ids that no record of the session has, and that were not returned before. */
function freshIds(ids: IdSource, items: readonly RepairItem[]): () => string {
  const taken = new Set(items.map(({ value }) => value.id))
  return () => {
    const id = freshEntryId(ids, (candidate) => taken.has(candidate))
    taken.add(id)
    return id
  }
}

async function completeHeader(header: RepairItem, { lostHeader }: RepairKnowledge, log: RepairLog): Promise<void> {
  for (const field of ["timestamp", "cwd"] as const) {
    if (typeof header.value[field] === "string") continue
    const { [field]: value } = await lostHeader()
    set(header, field, value)
    log.add(header, "invalid-header-field", `The header's ${field} is ${JSON.stringify(value)} now.`)
  }
}

function wrapExtraHeaders(entries: readonly RepairItem[], log: RepairLog): void {
  for (const item of entries) {
    if (item.value.type !== "session") continue
    log.add(item, "extra-header", "A second header is kept inside an entry of its own.")
    item.value = { type: "custom", customType: DAMAGED, data: { entry: item.value } }
  }
}

/** A session of an older version is repaired as one of the current: only there entries have ids. */
function migrateItems(header: RepairItem, entries: readonly RepairItem[], log: RepairLog): void {
  const version = typeof header.value.version === "number" ? header.value.version : 1
  const records = entries.map(({ value, line, offset }) => ({ value, place: { line, offset, length: 0 } }))
  const migrated = migrate({ header: header.value as SessionHeader, records, version })
  if (!migrated.report) return
  log.add(header, "old-version", `The session was migrated from version ${version} to ${CURRENT_VERSION}.`)
  header.value = migrated.header
  entries.forEach((item, index) => {
    item.value = migrated.records[index]?.value ?? item.value
  })
}

function partsOf(stretches: readonly RepairStretch[], end: Line | undefined, log: RepairLog): Part[] {
  const edits: ByteEdit[] = []
  for (const { offset, length, items, split } of stretches) {
    if (!split && !items.some(isChanged)) continue
    const lines = joinBytes(items.map(itemLine))
    edits.push({ offset, length, bytes: lines.subarray(0, -1) })
  }
  const parts = editedParts(end?.end ?? 0, edits)
  if (!end || end.terminated) return parts
  log.add({ line: end.number, offset: end.offset }, "unterminated-line", "The last line got its line end.")
  return [...parts, { bytes: new Uint8Array([0x0a]) }]
}

/** Repairs references between entries: labels, leaves and compactions that point nowhere, entries without a message. */
function repairFields(items: readonly RepairItem[], log: RepairLog): void {
  const state = new SessionState()
  for (const { value } of items) state.add(value as unknown as SessionEntry)
  state.settle()
  const check = entryChecks(state)
  const faults = [...state.iterateEntries()].flatMap(([ordinal, entry]) => check(ordinal, entry))
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

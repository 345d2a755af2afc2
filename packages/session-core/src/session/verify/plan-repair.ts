import { DAMAGED } from "../../entry/damaged-entry.js"
import { CURRENT_VERSION, type SessionHeader } from "../../entry/header.js"
import { valueText } from "../../entry/value-text.js"
import { TreelogError } from "../../errors.js"
import { joinBytes } from "../../log/join-bytes.js"
import type { Line } from "../../log/line.js"
import { type ByteEdit, editedParts, type Part } from "../../log/splice.js"
import { migrate } from "../../migrate/migrate.js"
import type { IdSource } from "../../ports/ids.js"
import { freshEntryId } from "../entry-id.js"
import { repairFields } from "./repair-fields.js"
import { itemLine, type RepairChange, type RepairItem, type RepairStretch, takeApart } from "./repair-item.js"
import { repairLinks } from "./repair-links.js"

export interface RepairPlan {
  /** The repaired session: bytes of the damaged one, and new lines. */
  readonly parts: readonly Part[]
  readonly changes: readonly RepairChange[]
}

/** What a repair cannot know from the lines alone. */
export interface RepairKnowledge {
  /** The header of a session that lost its own, from the file's name and its neighbours. Asked for only where it is needed. */
  lostHeader(): Promise<SessionHeader>
  readonly ids: IdSource
}

/**
 * Plans how a damaged session is repaired (FORMAT.md, section 4). Nothing is dropped: what cannot be read is kept in an
 * entry of its own. Lines that need no mending are copied as bytes. Pure; carrying it out, with a backup, is the caller's.
 * @throws UnsupportedVersionError for a version that this release cannot write; InvalidSessionError for what was no session
 */
export async function planRepair(lines: readonly Line[], key: string, knowledge: RepairKnowledge): Promise<RepairPlan> {
  const changes: RepairChange[] = []
  const stretches = lines.flatMap((line) => takeApart(line, changes) ?? [])
  const all = stretches.flatMap(({ items }) => items)
  const titleSlot = all.find(isTitleSlot)
  const found = findHeader(all, key)
  const header = found ?? (await givenBack(key, knowledge, all, changes))
  if (found && !isWhole(found)) repairHeader(found, await knowledge.lostHeader(), changes)
  const entries = all.filter((item) => item !== header && item !== titleSlot)
  putFirst(header, stretches, titleSlot, changes)
  wrapExtraHeaders(entries, changes)
  migrateItems(header, entries, changes)
  repairLinks(entries, freshIds(knowledge.ids, all), changes)
  repairFields(entries, changes)
  return { parts: partsOf(stretches, lines.at(-1), changes), changes }
}

/** omp's title line, which stands in front of the header and is no entry. */
function isTitleSlot({ value: { type, id } }: RepairItem, index: number): boolean {
  return index === 0 && type === "title" && id === undefined
}

function findHeader(items: readonly RepairItem[], key: string): RepairItem | undefined {
  const header = items.find(({ value }) => value.type === "session" && typeof value.id === "string" && value.id !== "")
  const version = header?.value.version === undefined ? 1 : header.value.version
  if (typeof version === "number" && Number.isInteger(version) && version >= 1 && version <= CURRENT_VERSION)
    return header
  throw new TreelogError("UnsupportedVersionError", `${key} has version ${valueText(version)}; it was not touched.`, {
    key,
    version,
  })
}

/** A header for a session that lost its own. Its time is that of the first entry. */
async function givenBack(
  key: string,
  knowledge: RepairKnowledge,
  items: readonly RepairItem[],
  changes: RepairChange[],
): Promise<RepairItem> {
  if (!items.some(isEntryLike)) {
    const message = `${key} has no header, and no line of it is an entry: it was no session. It was not touched.`
    throw new TreelogError("InvalidSessionError", message, { key, found: "no line that is an entry" })
  }
  const lost = await knowledge.lostHeader()
  const first = items.find(({ value }) => typeof value.timestamp === "string")
  const header: SessionHeader = first ? { ...lost, timestamp: first.value.timestamp as string } : lost
  const [id, cwd] = [JSON.stringify(header.id), JSON.stringify(header.cwd)]
  const message = `A header was put in front: the id ${id} and the folder ${cwd} are from the file's name and its neighbours.`
  changes.unshift({ kind: "missing-header", line: 1, offset: 0, message })
  return { line: 1, offset: 0, value: header, changed: true }
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
  changes: RepairChange[],
): void {
  const first = stretches.find(({ items }) => items[0] !== titleSlot)
  if (!first || first.items[0] === header) return
  for (const stretch of stretches) {
    const at = stretch.items.indexOf(header)
    if (at === -1) continue
    stretch.items.splice(at, 1)
    stretch.split = true
    const message = "The header stood behind other lines; it is the first one now."
    changes.push({ kind: "missing-header", line: header.line, offset: header.offset, message })
  }
  first.items.unshift(header)
  first.split = true
}

function isWhole({ value }: RepairItem): boolean {
  return typeof value.timestamp === "string" && typeof value.cwd === "string"
}

/** Ids that no record of the session has, nor any that was given. */
function freshIds(ids: IdSource, items: readonly RepairItem[]): () => string {
  const taken = new Set(items.map(({ value }) => value.id))
  return () => {
    const id = freshEntryId(ids, (candidate) => taken.has(candidate))
    taken.add(id)
    return id
  }
}

function repairHeader(header: RepairItem, lost: SessionHeader, changes: RepairChange[]): void {
  for (const field of ["timestamp", "cwd"] as const) {
    if (typeof header.value[field] === "string") continue
    header.value = { ...header.value, [field]: lost[field] }
    header.changed = true
    const message = `The header's ${field} is ${JSON.stringify(lost[field])} now.`
    changes.push({ kind: "invalid-header-field", line: header.line, offset: header.offset, message })
  }
}

function wrapExtraHeaders(entries: readonly RepairItem[], changes: RepairChange[]): void {
  for (const item of entries) {
    if (item.value.type !== "session") continue
    const message = "A second header is kept inside an entry of its own."
    changes.push({ kind: "extra-header", line: item.line, offset: item.offset, message })
    item.value = { type: "custom", customType: DAMAGED, data: { entry: item.value } }
    item.changed = true
  }
}

/** A session of an older version is repaired as one of the current: only there entries have ids. */
function migrateItems(header: RepairItem, entries: readonly RepairItem[], changes: RepairChange[]): void {
  const version = typeof header.value.version === "number" ? header.value.version : 1
  const records = entries.map(({ value, line, offset }) => ({ value, place: { line, offset, length: 0 } }))
  const migrated = migrate({ header: header.value as SessionHeader, records, version })
  if (!migrated.report) return
  const message = `The session was migrated from version ${version} to ${CURRENT_VERSION}.`
  changes.push({ kind: "old-version", line: header.line, offset: header.offset, message })
  header.value = migrated.header
  header.changed = true
  entries.forEach((item, index) => {
    const value = migrated.records[index]?.value
    if (!value || value === item.value) return
    item.value = value
    item.changed = true
  })
}

function partsOf(stretches: readonly RepairStretch[], end: Line | undefined, changes: RepairChange[]): Part[] {
  const edits: ByteEdit[] = []
  for (const { offset, length, items, split } of stretches) {
    if (!split && !items.some((item) => item.changed)) continue
    const lines = joinBytes(items.map(itemLine))
    edits.push({ offset, length, bytes: lines.subarray(0, -1) })
  }
  const parts = editedParts(end?.end ?? 0, edits)
  if (!end || end.terminated) return parts
  changes.push({
    kind: "unterminated-line",
    line: end.number,
    offset: end.offset,
    message: "The last line got its line end.",
  })
  return [...parts, { bytes: new Uint8Array([0x0a]) }]
}

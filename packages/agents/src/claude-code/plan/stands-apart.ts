import { NODES, namesNoOther } from "../link/names-no-other.js"
import type { SourceRecord } from "../source/source-record.js"

// Why what stands behind a place becomes the same entries without the records before it, and changes none of theirs. Records name each other by
// their ids: all that those behind name are among them, or are the node that was the last before, which is known; and no id of theirs was named before.
// The other rules compare times (copies, and where parts stand), count (the queue of prompts, the first command), or look for the newest of a kind
// (title, leaf, model, place, time): times behind are later, and what is counted or newest is known.

/** What is known of the records before a place. */
export interface Earlier {
  /** Of the last node. */
  readonly uuids: ReadonlySet<string>
  /** Whether a record may have or name an id. */
  has(id: string): boolean
  /** Of the newest node. Milliseconds since 1970. */
  readonly newest: number
  /** The latest time of a record. */
  readonly latest: string
}

/** The ids that a record has or names, by which others are found. */
export function idsOf(record: SourceRecord): string[] {
  const { uuid, parent, pin, title, boundary, agentId, caller, calls = [], answers = [], targets = [] } = record
  const ids = [uuid, parent, responseOf(record), pin?.leaf, title?.leaf, agentId, caller, ...targets]
  ids.push(boundary?.logicalParent, boundary?.firstKept, boundary?.lastKept)
  for (const { id } of calls) ids.push(id)
  for (const { call, file } of answers) ids.push(call, file)
  return ids.filter((id) => typeof id === "string" && id !== "") as string[]
}

/** The response that a record is of. */
export function responseOf({ message, key }: Pick<SourceRecord, "message" | "key">): string | undefined {
  return message ?? key
}

export function isNode({ role }: Pick<SourceRecord, "role">): boolean {
  return NODES.has(role)
}

/** Whether records stand apart from those before them. @param records with those of side chains */
export function standsApart(records: readonly SourceRecord[], earlier: Earlier): boolean {
  const { uuids, newest, latest } = earlier
  const here = new Set(records.flatMap(({ uuid, calls = [] }) => [uuid, ...calls.map(({ id }) => id)]))
  const isNew = (id: string | null | undefined): boolean => typeof id !== "string" || !earlier.has(id)
  const isHere = (id: string | null | undefined): boolean => here.has(id ?? undefined) || isNew(id)
  const beforeIt = new Set<string>()
  let isLinked = false
  /** A compaction whose parent is gone hangs on the node before it. */
  const isPlaced = ({ logicalParent = "" }: NonNullable<SourceRecord["boundary"]>): boolean =>
    beforeIt.has(logicalParent) ||
    uuids.has(logicalParent) ||
    (isLinked && !earlier.has(logicalParent) && !here.has(logicalParent))
  const isApart = (record: SourceRecord): boolean => {
    const { role, kind, uuid, id, parent, millis, time, isSidechain, title, agentId, caller } = record
    const { calls = [], answers = [], targets = [], boundary } = record
    const isBelow = boundary ? isPlaced(boundary) : parent !== uuid
    if (isNode(record) && !isSidechain) isLinked = beforeIt.has(parent ?? "") || uuids.has(parent ?? "")
    if (uuid !== undefined) beforeIt.add(uuid)
    // A side chain stands where it began.
    if (isSidechain && (time ?? latest) < latest) return false
    if (role === "thoughts-out" || kind.startsWith("api-request") || (uuid !== undefined && id !== uuid)) return false
    if (![uuid, responseOf(record), agentId, ...calls.map((call) => call.id)].every(isNew)) return false
    if (!answers.every(({ file }) => isNew(file)) || ![title?.leaf, caller, ...targets].every(isHere)) return false
    if (!isNode(record)) return true
    if (!isBelow) return false
    return (role !== "summary" || parent !== undefined) && (time === undefined || millis > newest)
  }
  return (
    records.every(isApart) &&
    records.filter(({ role }) => role === "boundary").length <= 1 &&
    namesNoOther(records, (uuid) => uuids.has(uuid)) &&
    interruptsNone(records, uuids)
  )
}

/** Above which an interruption does not look for a reply. */
const ENDS: ReadonlySet<string> = /* @__PURE__ */ new Set(["reply", "prompt", "meta", "summary", "boundary", "queued"])

/** Whether no record interrupts a reply before them. */
function interruptsNone(records: readonly SourceRecord[], uuids: ReadonlySet<string>): boolean {
  const byUuid = new Map(records.map((record) => [record.uuid, record]))
  return records.every(({ promptKind, parent }) => {
    let at = promptKind === "interruption" ? parent : undefined
    // More steps than records are a cycle.
    for (let steps = 0; at !== undefined && steps <= records.length; steps++) {
      if (uuids.has(at)) return false
      const above = byUuid.get(at)
      at = above && !ENDS.has(above.role) ? above.parent : undefined
    }
    return true
  })
}

import { NODE_ROLES } from "../source/record-head.js"
import type { SourceRecord } from "../source/source-record.js"

export const NODES: ReadonlySet<string> = /* @__PURE__ */ new Set(NODE_ROLES)

/**
 * Whether each record has an id, and names no other record than those among them, or those above: then the same rules give the same entries, whatever
 * stands before.
 * @param isAbove whether a record, by its position, may hang on one with this uuid
 */
export function namesNoOther(
  records: readonly SourceRecord[],
  isAbove: (uuid: string, at: number) => boolean,
): boolean {
  const uuids = new Set(records.map(({ uuid }) => uuid))
  const calls = new Set(records.flatMap(({ calls = [] }) => calls.map(({ id }) => id)))
  const isHere = (uuid: string | undefined): boolean => uuid === undefined || uuids.has(uuid)
  return records.every(({ role, uuid, parent, answers = [], pin, boundary }, at) => {
    const isFound = (one: string | undefined): boolean => isHere(one) || isAbove(one as string, at)
    if (NODES.has(role) && uuid === undefined) return false
    if (!isFound(parent)) return false
    if (!answers.every(({ call }) => call !== undefined && calls.has(call))) return false
    if (boundary && (boundary.keepsBefore || !isHere(boundary.firstKept) || !isHere(boundary.lastKept))) return false
    return isFound(pin?.leaf ?? undefined)
  })
}

import type { EntryHead } from "../entry/entry.js"

/** How much of a line's beginning and end is looked at. Bytes; ids and timestamps of all writers fit several times over. */
const WINDOW = 256

/** pi's, xcsh's, omp's and treelog's messages, settings and summaries: everything about the entry comes first. */
const FRONT = /^\{"type":"([^"\\]+)","id":"([^"\\]+)","parentId":(?:null|"([^"\\]+)"),"timestamp":"([^"\\]*)"[,}]/
const TYPE = /^\{"type":"([^"\\]+)",(?:"timestamp":"([^"\\]*)",)?/
/** `custom` and `custom_message` of pi and omp: the payload comes first. Sessions that pi migrated: the ids come last. */
const BACK = /,"id":"([^"\\]+)","parentId":(?:null|"([^"\\]+)")(?:,"timestamp":"([^"\\]*)")?\}$/

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

/**
 * Reads what the tree needs of an entry from its bytes, in the key orders that the known writers use, without parsing the line;
 * undefined where the order is another one. Unescaped quotes are structure, and nothing stands between the matched keys and the
 * outermost brace, so a match is never part of a payload. The payload itself is not looked at: it may be damaged.
 */
export function scanHead(bytes: Uint8Array): EntryHead | undefined {
  const beginning = decoder.decode(bytes.length > WINDOW ? bytes.subarray(0, WINDOW) : bytes)
  const front = FRONT.exec(beginning)
  if (front) return head(front[1], front[2], front[3], front[4])
  const [, type, time] = TYPE.exec(beginning) ?? []
  if (type === undefined) return undefined
  const ending = bytes.length > WINDOW ? decoder.decode(bytes.subarray(bytes.length - WINDOW)) : beginning
  const [, id, parentId, lateTime] = BACK.exec(ending) ?? []
  // Exactly one of the two places has the time in the known orders.
  if (id === undefined || (time === undefined) === (lateTime === undefined)) return undefined
  return head(type, id, parentId, time ?? lateTime)
}

function head(type?: string, id?: string, parentId?: string, timestamp?: string): EntryHead | undefined {
  if (type === undefined || id === undefined || timestamp === undefined) return undefined
  return { type, id, parentId: parentId ?? null, timestamp }
}

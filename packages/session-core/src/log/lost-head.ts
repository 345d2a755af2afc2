import type { EntryHead } from "../entry/entry.js"

/** The beginning of an entry's line as every writer writes it. */
const HEAD = /^\s*\{"type":"([^"\\]+)","id":"([^"\\]+)","parentId":(?:null|"([^"\\]+)"),"timestamp":"([^"\\]*)"/

/** The head of an entry whose line is damaged further on; undefined where the head is damaged, or not at the beginning. */
export function lostHead(text: string): EntryHead | undefined {
  const [, type, id, parentId, timestamp] = HEAD.exec(text) ?? []
  if (type === undefined || id === undefined || timestamp === undefined || type === "session") return undefined
  return { type, id, parentId: parentId ?? null, timestamp }
}

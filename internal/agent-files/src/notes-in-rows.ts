import type { SessionRows } from "@treelog-internal/fs"
import type { FileNotes } from "./agent-source.js"
import { isObject } from "./json.js"

const NOTE = "note"

/** Notes that are kept with what is known of the sessions. @param conversion its version */
export function notesIn(rows: SessionRows, conversion: string): FileNotes {
  return {
    get(path, version, kind = NOTE) {
      const fact = rows.fact(kind, path)
      const note = fact?.version === `${conversion} ${version}` ? fact.value : undefined
      return isObject(note) ? note : undefined
    },
    put: (path, version, note, kind = NOTE) =>
      rows.putFact(kind, path, { version: `${conversion} ${version}`, brief: [], value: note }),
  }
}

import type { SessionRows } from "@treelog-internal/fs"
import type { FileNotes } from "./agent-source.js"
import { isObject } from "./json.js"

const NOTE = "note"

/** Notes that are kept with what is known of the sessions. @param conversion its version */
export function notesIn(rows: SessionRows, conversion: string): FileNotes {
  return {
    get(path, version) {
      const fact = rows.fact(NOTE, path)
      const note = fact?.version === `${conversion} ${version}` ? fact.value : undefined
      return isObject(note) ? note : undefined
    },
    put: (path, version, note) =>
      rows.putFact(NOTE, path, { version: `${conversion} ${version}`, brief: [], value: note }),
  }
}

import { closeSync, fdatasyncSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { migrateSession } from "@treelog/session-core/maintenance"
import { loadPi } from "../contenders/pi.js"
import { loadTreelog } from "../contenders/treelog.js"
import { copyInto } from "../data/case-files.js"
import { MIDDLE_V1 } from "../data/sessions.js"
import { digestOf } from "../digest.js"
import type { Contender, Question } from "../question.js"
import { work } from "../work.js"

type Entry = Record<string, unknown> & { readonly id: string; readonly parentId: string | null }

/** The migrated session as it stands in its file. Ids are each program's own: an entry is named by its place instead. */
function migrated(file: string): string {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
  const [header, ...entries] = lines.map((line) => JSON.parse(line) as Entry)
  const places = new Map<unknown, number>(entries.map(({ id }, place) => [id, place]))
  const chain = entries.map(({ id: _, parentId, firstKeptEntryId, ...entry }) => {
    return [places.get(parentId), places.get(firstKeptEntryId), entry]
  })
  return `version ${header?.version}, ${entries.length} entries, ${digestOf(chain)}`
}

const contenders: Record<string, Contender> = {
  /** What pi does when it opens one: migrate, write, and be ready to go on. */
  treelog: async (folder, scratch) => {
    const path = copyInto(folder, scratch)
    const sessions = await loadTreelog(scratch)
    return work(
      () => sessions.open(path),
      () => migrated(path),
    )
  },
  "treelog, migrate alone": async (folder, scratch) => {
    const path = copyInto(folder, scratch)
    const sessions = await loadTreelog(scratch)
    return work(
      () => migrateSession(sessions, path),
      () => migrated(path),
    )
  },
  pi: async (folder, scratch) => {
    const path = copyInto(folder, scratch)
    const pi = await loadPi()
    return work(
      () => pi.open(path, scratch),
      () => migrated(path),
    )
  },
}

const probes: Record<string, Contender> = {
  "parse, write, fdatasync": async (folder, scratch) => {
    const path = copyInto(folder, scratch)
    return work(
      () => {
        const lines = readFileSync(path, "utf8")
          .split("\n")
          .filter((line) => line !== "")
        const text = lines.map((line) => `${JSON.stringify(JSON.parse(line))}\n`).join("")
        const file = openSync(join(scratch, "probe.jsonl"), "wx", 0o600)
        writeFileSync(file, text)
        fdatasyncSync(file)
        closeSync(file)
        return lines
      },
      ({ length }) => length,
    )
  },
}

export const migrate: Question = {
  name: "migrate",
  asks: "How long does it take to open a session of version 1, which rewrites it? treelog's is then on the disk, with a backup of the old one.",
  rounds: 7,
  cases: [
    {
      name: "v1 to v3, 10k entries, 50 MB",
      size: 10_000,
      data: { "session.jsonl": MIDDLE_V1 },
      contenders,
      probes,
      bars: [{ contender: "treelog", beside: "pi", atLeast: 6 }],
    },
  ],
}

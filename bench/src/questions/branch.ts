import { closeSync, fdatasyncSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { loadPi } from "../contenders/pi.js"
import { loadTreelog } from "../contenders/treelog.js"
import { sessionIn } from "../data/case-files.js"
import { MIDDLE_WHOLE } from "../data/sessions.js"
import { digestOf } from "../digest.js"
import type { Case, Contender, Question } from "../question.js"
import { work } from "../work.js"

const CWD = "/home/dev/elsewhere"

/**
 * The copied entries, as they stand in the new file. Labels are left out, since each program gives them other ids and places;
 * and so are parents, since pi leaves those of a label's children pointing at what it dropped.
 */
function copied(file: string): string {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
  const entries = lines.slice(1).map((line) => JSON.parse(line) as Record<string, unknown>)
  const kept = entries.filter(({ type }) => type !== "label").map(({ parentId: _, ...entry }) => entry)
  return `${kept.length} entries, ${digestOf(kept)}`
}

/** Reads, writes and syncs the same bytes: what a copy costs that is on the disk. */
const copyBytes: Contender = async (folder, scratch) =>
  work(
    () => {
      const bytes = readFileSync(sessionIn(folder))
      const file = openSync(join(scratch, "copy.jsonl"), "wx", 0o600)
      writeFileSync(file, bytes)
      fdatasyncSync(file)
      closeSync(file)
      return bytes
    },
    ({ length }) => length,
  )

/** Copies the path to the leaf, which is the whole session, to a new session. The session is open already. */
const branchCase: Case = {
  name: "branch, 10k entries, 50 MB",
  size: 10_000,
  data: { "session.jsonl": MIDDLE_WHOLE },
  contenders: {
    treelog: async (folder, scratch) => {
      const sessions = await loadTreelog(scratch)
      const session = await sessions.open(sessionIn(folder), { access: "read" })
      const leafId = session.getLeafId() ?? ""
      return work(
        () => session.createBranchedSession(leafId),
        (branched) => copied(branched.getSessionFile() ?? ""),
      )
    },
    pi: async (folder, scratch) => {
      const session = (await loadPi()).open(sessionIn(folder), scratch)
      const leafId = session.getLeafId() ?? ""
      return work(() => session.createBranchedSession(leafId), copied)
    },
  },
  probes: { "copy, fdatasync": copyBytes },
  bars: [{ contender: "treelog", beside: "pi", atLeast: 10 }],
}

/** A stored session goes whole into another folder's. */
const forkCase: Case = {
  name: "fork, 10k entries, 50 MB",
  size: 10_000,
  data: { "session.jsonl": MIDDLE_WHOLE },
  contenders: {
    treelog: async (folder, scratch) => {
      const sessions = await loadTreelog(scratch)
      return work(
        () => sessions.forkFrom(sessionIn(folder), CWD),
        (forked) => copied(forked.getSessionFile() ?? ""),
      )
    },
    pi: async (folder, scratch) => {
      const pi = await loadPi()
      return work(
        () => pi.forkFrom(sessionIn(folder), CWD, scratch),
        (forked) => copied(forked.getSessionFile()),
      )
    },
  },
  probes: { "copy, fdatasync": copyBytes },
  bars: [{ contender: "treelog", beside: "pi", atLeast: 10 }],
}

export const branch: Question = {
  name: "branch",
  asks: "How long does it take to make a session of another one? treelog's is then on the disk, pi's need not be.",
  rounds: 7,
  cases: [branchCase, forkCase],
}

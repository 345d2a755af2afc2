import type { Session } from "@treelog/session-core"
import { sourceOf } from "@treelog/session-core/adapter"
import { type AgentStore, agentOfProgram, branchEnds, WRITERS, writeSession } from "@treelog/stores"
import { numberText } from "@treelog-internal/text"
import type { CommandSource } from "../sessions/open-library.js"
import { findEntry } from "../sessions/open-to-read-or-write.js"
import { readOnlyManager } from "../store/command-sessions.js"
import { openedTranscripts } from "./opened-transcripts.js"

/** A session that was written for another agent, with the receipt of what it has. */
export type WrittenSession = Awaited<ReturnType<typeof writeSession>>

export interface WhatIsWritten {
  /** The entry that it ends with, as a reference. Default: where the session stands. */
  readonly leaf?: string | undefined
  /** Whether it begins with the last summary. */
  readonly fromSummary?: boolean | undefined
  /** Whether each other branch becomes a session, too. */
  readonly allBranches?: boolean | undefined
  readonly dryRun?: boolean | undefined
  /** Of the agent. Default: the one that this release was tried with. */
  readonly version?: string | undefined
}

export function writtenAgents(): string[] {
  return [...WRITERS.keys()]
}

/** Whether sessions of others can be written for an agent. */
export function isWritten(agent: string): boolean {
  return WRITERS.has(agent)
}

/**
 * Writes a session for another agent.
 * @returns what was written: first the branch that was asked for
 * @throws what `writeSession` throws; EntryNotFoundError, AmbiguousReferenceError for `leaf`
 */
export async function writeForAgent(
  { agent, folder }: Pick<AgentStore, "agent" | "folder">,
  sessions: CommandSource,
  key: string,
  { leaf, allBranches = false, ...options }: WhatIsWritten,
): Promise<[WrittenSession, ...WrittenSession[]]> {
  const session = await (await readOnlyManager(sessions, key)).open(key, { access: "read" })
  const transcripts = () => openedTranscripts(sessions, key)
  try {
    const from = sourceOf(session.getHeader()).agent ?? agentOfProgram(sessions.agent ?? sessions.program ?? "treelog")
    const write = (end: string | undefined, otherBranches: number): Promise<WrittenSession> =>
      writeSession(agent, session, { ...options, leaf: end, dir: folder, from, otherBranches, transcripts })
    const ends = allBranches ? otherEnds(session) : []
    const written: [WrittenSession, ...WrittenSession[]] = [
      await write(leaf === undefined ? undefined : findEntry(session, leaf), ends.length),
    ]
    for (const end of ends) written.push(await write(end, ends.length))
    return written
  } finally {
    await session.close()
  }
}

/** Where the branches end on which the session does not stand. */
function otherEnds(session: Session): string[] {
  const own = new Set(session.getLeafId() === null ? [] : session.getBranch().map(({ id }) => id))
  return branchEnds(session).filter((id) => !own.has(id))
}

/** What stands together in a line of a receipt. */
const LINES = [
  ["text", "thinking"],
  ["calls", "results"],
  ["images", "subAgents"],
  ["branches", "compactions"],
  ["names", "usage"],
] as const

const NAMES: Readonly<Record<string, string>> = { subAgents: "sub-agents" }

/** A receipt in five lines: of each kind of content how many pieces are as they were, and what became of the others. */
export function receiptLines(receipt: WrittenSession["receipt"]): string[] {
  return LINES.map((axes) =>
    axes
      .map((axis) => {
        const { source, preserved, outcome, reasons } = receipt[axis]
        const name = NAMES[axis] ?? axis
        if (outcome === "absent") return `no ${name}`
        const why = Object.entries(reasons).map(([reason, pieces]) => `${numberText(pieces)} ${reason}`)
        return `${name} ${numberText(preserved)} of ${numberText(source)}${why.length > 0 ? ` (${why.join(", ")})` : ""}`
      })
      .join("; "),
  )
}

import type { Session, SessionEntry } from "@treelog/session-core"
import { TreelogError } from "@treelog/session-core"
import { sourceOf } from "@treelog/session-core/adapter"
import { type Env, type FsPort, isFolder, nodeFs } from "@treelog-internal/fs"
import type { Json } from "../json.js"
import type { CopyLines, CopyPart, CopySource } from "./copy-source.js"
import { derivedUuid } from "./derived-id.js"
import { type CopyStatus, type NewCopy, placeCopy, withMark } from "./place-copy.js"
import type { Receipt } from "./receipt.js"
import { SessionPieces } from "./session-pieces.js"
import { firstPrompt, type StepOptions, sessionSteps } from "./session-steps.js"
import { subAgentsOf, type Transcripts } from "./sub-agents.js"
import { type CopyRules, writtenSteps } from "./written-steps.js"

/** Options for writing a session in the store of another agent. */
export interface WriteSessionOptions extends StepOptions {
  /** The folder of the agent. Default: its own, which its variables of the environment name. */
  readonly dir?: string | undefined
  /** Default: `process.env`. */
  readonly env?: Env | undefined
  /** The file system; Node's by default. */
  readonly fs?: FsPort | undefined
  /** The agent whose session it is, such as `claude-code`. Default: what its header says, or `treelog`. */
  readonly from?: string | undefined
  /** The version of the agent that the copy is for, such as `2.1.332`. Default: the one that this release was tested with. */
  readonly version?: string | undefined
  /** How many other branches of the session have copies of their own, for the receipt. Default: none. */
  readonly otherBranches?: number | undefined
  /** Default: none goes over. */
  readonly transcripts?: Transcripts | undefined
  /** Whether to write nothing, and say what would be written. */
  readonly dryRun?: boolean | undefined
}

/** A session that was written for another agent. */
export interface WrittenSession {
  /** The agent that it was written for. */
  readonly agent: string
  /** With which that agent goes on with it. */
  readonly id: string
  readonly path: string
  readonly cwd: string
  /**
   * `created`, `appended` to a copy that was there, or `unchanged`; `continued`: the agent went on with a copy that has all of it, which was not touched.
   */
  readonly status: Exclude<CopyStatus, "other">
  readonly receipt: Receipt
}

/** An agent that copies can be written for. */
export interface CopyTarget {
  readonly agent: string
  /** What it keeps otherwise than others. */
  readonly rules: Omit<CopyRules, "agent">
  /** The folder of the agent, which is there once it was used; undefined where copies are in none. */
  readonly folder: string | undefined
  readonly version: string
  /** The id of a copy, made of what it is a copy of. Default: a UUID. */
  idOf?(...seed: readonly string[]): string
  /** Where the session with an id is, or goes. */
  placeOf(source: Pick<CopySource, "id" | "cwd" | "started">): Promise<string>
  /** The lines of a copy, and of its sub-agents' transcripts in files of their own. The first line of each gets a mark. */
  linesOf(source: CopySource, place: string): CopyLines & { readonly parts?: readonly CopyPart[] }
  /** The first line with what says that it is a copy of treelog's. */
  marked(head: Json, mark: Json): Json
  /** Stores a copy, or what is new of it. Default: as lines of a file. */
  put?(place: string, copy: NewCopy): Promise<CopyStatus>
  /** What else its list reads. */
  register?(source: CopySource): Promise<void>
}

/**
 * Writes a session, or what is new of it, for another agent. A copy has an id that is made of the source's, so that a second run finds it; where both went
 * on since, there is a new copy.
 * @throws EntryNotFoundError for `leaf`; InvalidArgumentError: nothing was said, or the agent was never used here; StorageError; SessionChangedError
 */
export async function copySession(
  session: Session,
  target: CopyTarget,
  options: WriteSessionOptions,
): Promise<WrittenSession> {
  const { leaf, fromSummary = false, fs = nodeFs, version = target.version, otherBranches, dryRun = false } = options
  const header = session.getHeader()
  const from = options.from ?? sourceOf(header).agent ?? "treelog"
  const end = leaf ?? session.getLeafId()
  const path = end === null ? [] : session.getBranch(end)
  const steps = await sessionSteps(session, path, { fromSummary, from })
  if (!steps.some((step) => step.kind === "said" && !step.isOfProgram))
    throw invalid(
      "session",
      header.id,
      `Nothing was said in ${header.id}: there is nothing for ${target.agent} to go on with.`,
    )
  if (target.folder !== undefined && !(await isFolder(target.folder)))
    throw invalid(
      "agent",
      target.agent,
      `${target.folder} is no folder: start ${target.agent} once before a session is written for it.`,
    )
  const subAgents = await subAgentsOf(path, options.transcripts, from)
  const pieces = new SessionPieces(session, path)
  const rules = { ...target.rules, agent: target.agent }
  const [name, cwd] = [session.getSessionName(), session.getCwd()]
  const written = writtenSteps({ steps, subAgents, pieces }, rules, from, cwd)
  const seed = [target.agent, from, header.id, leaf ?? "", fromSummary ? "summary" : ""] as const
  const receipt = pieces.finish({ isNamed: name !== undefined, otherBranches })
  const idOf = target.idOf ?? derivedUuid
  for (const id of [idOf(...seed), idOf(...seed, end ?? "")]) {
    const started = startOf(header.timestamp, path)
    const title = name ?? firstPrompt(steps) ?? `Session of ${started.slice(0, 10)}`
    const source: CopySource = { id, from, name, title, cwd, started, version, steps: written }
    const place = await target.placeOf(source)
    const { parts = [], ...lines } = target.linesOf(source, place)
    const mark = { agent: from, session: header.id, leaf: end }
    const named = parts.length > 0 && { parts: parts.map(({ path }) => path) }
    const copy: NewCopy = {
      ...withMark(lines, { ...mark, receipt, ...named }, target.marked),
      parts: parts.map((part) => withMark(part, mark, target.marked)),
      has: (leaf) => path.some(({ id }) => id === leaf),
      dryRun,
    }
    const status = await (target.put?.(place, copy) ?? placeCopy(fs, place, copy))
    if (status === "other") continue
    if (!dryRun && status !== "continued") await target.register?.(source)
    return { agent: target.agent, id, path: place, cwd, status, receipt }
  }
  throw new TreelogError(
    "SessionChangedError",
    `Copies of ${header.id} in ${target.agent} were changed there: delete them first.`,
    {
      key: header.id,
      change: "replaced",
    },
  )
}

/** When a session began: of a header without a time, its first entry. */
function startOf(timestamp: string, path: readonly SessionEntry[]): string {
  const times = [timestamp, path[0]?.timestamp ?? ""].map((time) => Date.parse(time))
  return new Date(times.find((time) => !Number.isNaN(time)) ?? 0).toISOString()
}

function invalid(argument: string, value: string, message: string): TreelogError<"InvalidArgumentError"> {
  return new TreelogError("InvalidArgumentError", message, { argument, value })
}

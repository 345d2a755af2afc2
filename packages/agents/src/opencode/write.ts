import { basename, join } from "node:path"
import type { Session } from "@treelog/session-core"
import { agentFolder, type Json, objectIn } from "@treelog-internal/agent-files"
import {
  type CopyLines,
  type CopySource,
  type CopyStatus,
  type CopyTarget,
  copySession,
  type FsPort,
  type NewCopy,
  nodeFs,
  sessionsByVariables,
  subAgentsIn,
  type WriteSessionOptions,
  type WrittenSession,
} from "@treelog-internal/agent-files/write"
import { opencode } from "./place.js"
import { type ExportedSession, OpencodeProgram } from "./program.js"
import {
  childId,
  isWrittenId,
  OPENCODE_RULES,
  sessionId,
  sessionMessages,
  type WrittenMessage,
} from "./write-messages.js"

/** The version of opencode that written sessions were tried with. */
const TRIED = "1.18.33"
/** The ids of copies: opencode makes other ones. */
const OWN_ID = /^ses_[0-9a-f]{26}$/

/** Writes a session of any agent as one of opencode 1.x, through its own import: `writeAgentSession` says more. */
export async function writeOpencode(session: Session, options: WriteSessionOptions = {}): Promise<WrittenSession> {
  const { env = process.env, fs = nodeFs } = options
  const { sessions } = sessionsByVariables(env, opencode)
  const folder = agentFolder(env, opencode, options.dir)
  const program = new OpencodeProgram(folder, session.getCwd(), env)
  const model = await program.model(fs)
  const target: CopyTarget = {
    agent: "opencode",
    rules: OPENCODE_RULES,
    folder,
    version: TRIED,
    idOf: sessionId,
    placeOf: async ({ id }) => join(folder, sessions, id),
    linesOf: (source) => ({
      head: [infoOf(source)],
      body: sessionMessages(source, source.id, source.steps, model),
      parts: subAgentsIn(source.steps).map((subAgent) => {
        const { name, parents, title, steps } = subAgent
        const [id, parent] = [childId(source, name), parents.at(-1)]
        const parentID = parent === undefined ? source.id : childId(source, parent)
        const info = { ...infoOf({ ...source, id, title, steps }), parentID }
        return { path: id, head: [info], body: sessionMessages(source, id, steps, model) }
      }),
    }),
    marked: (head, treelog) => ({ ...head, metadata: { treelog } }),
    put: (path, copy) => put(program, path, copy),
  }
  return copySession(session, target, options)
}

function infoOf({ id, title, cwd: directory, started, version, steps }: CopySource): Json {
  const created = Date.parse(started)
  const slug = id.slice(-8)
  const times = steps.slice(-1).map((step) => (step.kind === "compaction" ? step.time : step.step.time))
  const time = { created, updated: Math.max(created, ...times) }
  return { id, slug, projectID: "global", directory, title, version, time }
}

/** A session, and what is to become of it. */
interface PlannedSession {
  readonly session: ExportedSession
  readonly status: CopyStatus
  /** Whether it is there, and ends otherwise. */
  readonly isReplaced: boolean
}

/** Adds what is new: first to the sub-agents, which opencode does not list. */
async function put(program: OpencodeProgram, path: string, copy: NewCopy): Promise<CopyStatus> {
  const main = await planned(program, basename(path), copy, copy)
  if (main.status !== "created" && main.status !== "appended") return main.status
  const parts: PlannedSession[] = []
  for (const part of copy.parts) parts.push(await planned(program, part.path, part, copy))
  if (parts.some(({ status }) => status === "other")) return "other"
  if (copy.dryRun) return main.status
  // opencode deletes the sessions of its sub-agents with it.
  if (main.isReplaced) await program.delete(basename(path))
  for (const { session, status, isReplaced } of [...parts, main]) {
    if (isReplaced && !main.isReplaced) await program.delete(String(session.info.id))
    if (main.isReplaced || status === "created" || status === "appended") await imported(program, session, status)
  }
  return main.status
}

async function planned(
  program: OpencodeProgram,
  id: string,
  { head, body }: CopyLines,
  { has }: NewCopy,
): Promise<PlannedSession> {
  const there = await program.exported(id)
  const messages = body as readonly WrittenMessage[]
  const session = { info: head[0], messages }
  if (!there) return { session, status: "created", isReplaced: false }
  const own = messages.map(({ info }) => String(info.id))
  const known = there.messages.map(({ info }) => String(info.id))
  const isContinued = known.some((message) => !isWrittenId(id, message))
  const isReplaced = !known.every((message, at) => own[at] === message)
  if (own.every((message) => known.includes(message)))
    return { session, status: isContinued ? "continued" : "unchanged", isReplaced: false }
  const { treelog } = (there.info.metadata ?? {}) as { treelog?: { leaf?: string } }
  const isOther = isContinued || (isReplaced && !has(treelog?.leaf ?? null))
  return { session, status: isOther ? "other" : "appended", isReplaced }
}

async function imported(program: OpencodeProgram, session: ExportedSession, status: CopyStatus): Promise<void> {
  const id = String(session.info.id)
  try {
    await program.import(session)
  } catch (error) {
    // opencode keeps what stands before a message that it refuses.
    if (status === "created" && (await program.exported(id))) await program.delete(id)
    throw error
  }
}

/** Removes a copy that opencode did not go on with. @returns false for any other session @throws StorageError */
export async function removeOpencode(_: FsPort, path: string, dryRun = false, env = process.env): Promise<boolean> {
  const id = basename(path)
  if (!OWN_ID.test(id)) return false
  const folder = join(path, "..", "..")
  const program = new OpencodeProgram(folder, folder, env)
  const metadata = await writtenMetadata(program, id)
  if (!metadata) return false
  const { treelog } = metadata as { treelog?: { parts?: readonly string[] } }
  for (const part of treelog?.parts ?? []) if (!(await writtenMetadata(program, part))) return false
  // opencode deletes the sessions of its sub-agents with it.
  if (!dryRun) await program.delete(id)
  return true
}

/** What treelog says of a session; undefined for what treelog has not written, or opencode went on with. */
async function writtenMetadata(program: OpencodeProgram, id: string): Promise<Json | undefined> {
  const there = await program.exported(id)
  const isWritten = there?.messages.every(({ info }) => isWrittenId(id, String(info.id)))
  return isWritten ? objectIn(there?.info ?? {}, "metadata") : undefined
}

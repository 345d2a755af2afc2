import { basename, join } from "node:path"
import type { Session } from "@treelog/session-core"
import { agentFolder, type Json } from "@treelog-internal/agent-files"
import {
  type CopySource,
  type CopyStatus,
  type CopyTarget,
  copySession,
  digestOf,
  type FsPort,
  type NewCopy,
  nodeFs,
  sessionsByVariables,
  type WriteSessionOptions,
  type WrittenSession,
} from "@treelog-internal/agent-files/write"
import { opencode } from "./place.js"
import { OpencodeProgram } from "./program.js"
import { isWrittenId, sessionMessages, type WrittenMessage } from "./write-messages.js"

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
    folder,
    version: TRIED,
    idOf: (...seed) => `ses_${digestOf(...seed).slice(0, 26)}`,
    placeOf: async ({ id }) => join(folder, sessions, id),
    linesOf: (source) => ({ head: [infoOf(source)], body: sessionMessages(source, source.id, model) }),
    marked: (head, treelog) => ({ ...head, metadata: { treelog } }),
    put: (path, copy) => put(program, path, copy),
  }
  return copySession(session, target, options)
}

function infoOf({ id, title, cwd: directory, started, version, steps }: CopySource): Json {
  const created = Date.parse(started)
  const slug = id.slice(-8)
  const time = { created, updated: Math.max(created, ...steps.slice(-1).map(({ time }) => time)) }
  return { id, slug, projectID: "global", directory, title, version, time }
}

/** Adds what is new. A copy in which opencode wrote nothing, and that ends otherwise than its source now, is made again. */
async function put(program: OpencodeProgram, path: string, { head, body, has, dryRun }: NewCopy): Promise<CopyStatus> {
  const id = basename(path)
  const there = await program.exported(id)
  const messages = body as readonly WrittenMessage[]
  const own = messages.map(({ info }) => String(info.id))
  const known = (there?.messages ?? []).map(({ info }) => String(info.id))
  const isContinued = known.some((message) => !isWrittenId(id, message))
  const isPart = known.every((message, at) => own[at] === message)
  if (there) {
    if (own.every((message) => known.includes(message))) return isContinued ? "continued" : "unchanged"
    const { treelog } = (there.info.metadata ?? {}) as { treelog?: { leaf?: string } }
    if (isContinued || !(isPart || has(treelog?.leaf ?? null))) return "other"
  }
  if (dryRun) return there ? "appended" : "created"
  if (!isPart) await program.delete(id)
  try {
    await program.import({ info: head[0] as Json, messages })
  } catch (error) {
    // opencode keeps what stands before a message that it refuses.
    if (!there && (await program.exported(id))) await program.delete(id)
    throw error
  }
  return there ? "appended" : "created"
}

/** Removes a copy that opencode did not go on with. @returns false for any other session @throws StorageError */
export async function removeOpencode(_: FsPort, path: string, dryRun = false, env = process.env): Promise<boolean> {
  const id = basename(path)
  if (!OWN_ID.test(id)) return false
  const folder = join(path, "..", "..")
  const program = new OpencodeProgram(folder, folder, env)
  const there = await program.exported(id)
  if (!there?.info.metadata || there.messages.some(({ info }) => !isWrittenId(id, String(info.id)))) return false
  if (!dryRun) await program.delete(id)
  return true
}

import { isTreelogError, type Session, TreelogError } from "@treelog/session-core"
import { isOfFolder, repositoryIn, sessionsByRef } from "@treelog/session-core/adapter"
import { type Copy, withFaceFirst } from "./conversation.js"
import type { Source } from "./source.js"

type FoundCandidate = Awaited<ReturnType<typeof sessionsByRef>>[number]

/** Which session is opened. */
export interface EntryPlace {
  /** The whole id of the session. */
  readonly session: string
  /** An entry that the session has, or a part of it. Default: the face of the conversation is opened. */
  readonly entry?: string | undefined
  /** Only sessions of this folder, or of its project. */
  readonly scope?: string | undefined
}

/**
 * Opens the copy of a conversation that has an entry: its face, or else another copy, or a part of one of them. So whatever was found can be read.
 * Where none has the entry, the face is opened.
 * @throws SessionNotFoundError, also for a session of another folder
 */
export async function openEntry(
  sources: readonly Source[],
  { session: id, entry, scope }: EntryPlace,
): Promise<Session> {
  const copies = await copiesOf(sources, id)
  const [face, ...others] = copies
  if (!face) throw notFound(id)
  const opened = await opening(face, scope)
  if (entry === undefined || opened.getEntry(entry)) return opened
  for (const copy of others) {
    const session = await opening(copy, scope)
    if (session.getEntry(entry)) return replaced(opened, session)
    await session.close()
  }
  for (const copy of copies) {
    const part = await partWith(copy, entry)
    if (part) return replaced(opened, part)
  }
  return opened
}

async function replaced(opened: Session, other: Session): Promise<Session> {
  await opened.close()
  return other
}

async function copiesOf(sources: readonly Source[], id: string): Promise<Copy<Source>[]> {
  const storages = sources.map(({ storage }) => storage)
  const found: FoundCandidate[] = (await sessionsByRef(storages, id)).filter((one) => one.id === id)
  const copies = found.map(({ storage, path }) => ({
    source: sources.find((one) => one.storage === storage) as Source,
    path,
  }))
  return withFaceFirst(copies, sources)
}

async function opening({ source, path }: Copy<Source>, scope: string | undefined): Promise<Session> {
  const session = await (await source.manager(path)).open(path, { access: "read" })
  const place = { cwd: session.getCwd(), repository: repositoryIn(session.getHeader()) }
  if (scope === undefined || isOfFolder(place, scope, source.projectOf)) return session
  await session.close()
  throw notFound(session.getSessionId())
}

async function partWith({ source, path }: Copy<Source>, entry: string): Promise<Session | undefined> {
  for await (const { key, error } of source.storage.parts(path)) {
    const part = error ? undefined : await openedPart(source, key)
    if (part?.getEntry(entry)) return part
    await part?.close()
  }
  return undefined
}

/** Undefined for a file that is no transcript. */
async function openedPart({ manager }: Source, key: string): Promise<Session | undefined> {
  try {
    return await (await manager(key)).open(key, { access: "read" })
  } catch (error) {
    if (isTreelogError(error, "InvalidSessionError") || isTreelogError(error, "SessionNotFoundError")) return undefined
    throw error
  }
}

function notFound(id: string): TreelogError<"SessionNotFoundError"> {
  return new TreelogError("SessionNotFoundError", `No session has the id ${JSON.stringify(id)}.`, { ref: id })
}

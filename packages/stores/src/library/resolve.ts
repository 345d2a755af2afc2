import { TreelogError } from "@treelog/session-core"
import {
  ambiguous,
  comparePreference,
  listSessions,
  recentSessions,
  sessionsByRef,
} from "@treelog/session-core/adapter"
import { agentOfId, type Copy, conversationsOf, withFaceFirst } from "./conversation.js"
import { type ListedSource, type OnSourceError, ofEach } from "./source.js"

type FoundCandidate = Awaited<ReturnType<typeof sessionsByRef>>[number]

/** The session that a reference means: the face of its conversation, and where the other copies are. */
export interface ResolvedSession<From extends ListedSource = ListedSource> extends Copy<From> {
  readonly copies: readonly Copy<From>[]
}

/** `@last`, `@-2`. */
const RECENT = /^@(?:last|-([1-9]\d{0,5}))$/

/** Whether a reference counts the newest sessions, so that it means another one in another folder. */
export function isRecency(ref: string): boolean {
  return RECENT.test(ref)
}

/**
 * Finds the session that a reference means in any of several sources: by its id, the start or the end of it, its name, or the id in the name of its file, wherever it
 * is; `@last` and `@-2` among those of a folder. Of several sessions with one name, that of the folder is meant.
 * @param cwd an absolute path; undefined for everywhere
 * @throws SessionNotFoundError, AmbiguousSessionError
 */
export async function resolveSession<From extends ListedSource>(
  sources: readonly From[],
  ref: string,
  cwd: string | undefined,
  onError: OnSourceError<From> = () => {},
): Promise<ResolvedSession<From>> {
  const recent = RECENT.exec(ref)
  if (recent) return nthNewest(sources, ref, Number(recent[1] ?? 1), cwd, onError)
  const found = await sessionsByRef(
    sources.map(({ storage }) => storage),
    ref,
  )
  const face = await faceOf(sources, found)
  if (face) return face
  const near = cwd === undefined ? [] : await ofFolder(sources, found, cwd, onError)
  const nearest = await faceOf(sources, near)
  if (nearest) return nearest
  throw ambiguous(ref, found)
}

/** Of sessions that were found by their name, those of the folder. */
async function ofFolder<From extends ListedSource>(
  sources: readonly From[],
  found: readonly FoundCandidate[],
  cwd: string,
  onError: OnSourceError<From>,
): Promise<readonly FoundCandidate[]> {
  if (found.some(({ name }) => name === undefined)) return []
  const near = await ofEach(sources, onError, async ({ storage, projectOf }) => {
    const paths = new Set<string>()
    for await (const { path } of listSessions(storage, cwd, { projectOf })) paths.add(path)
    return found.filter((one) => one.storage === storage && paths.has(one.path))
  })
  return near.flat()
}

/** Undefined where they are not copies of one conversation, and without any. */
async function faceOf<From extends ListedSource>(
  sources: readonly From[],
  found: readonly FoundCandidate[],
): Promise<ResolvedSession<From> | undefined> {
  if (found.some(({ id }) => id !== found[0]?.id)) return undefined
  const copies = found.flatMap(({ storage, path }) => {
    const source = sources.find((one) => one.storage === storage)
    return source ? { source, path } : []
  })
  const [only, ...others] = copies
  if (only && others.length === 0) return { ...only, copies: [] }
  const known = await withFaceFirst(copies, sources)
  if (new Set(known.map(({ info, source }) => agentOfId({ ...info, id: found[0]?.id ?? "" }, source))).size !== 1)
    return undefined
  const [face, ...older] = known.map(({ source, path }): Copy<From> => ({ source, path }))
  return { ...(face as Copy<From>), copies: older }
}

async function nthNewest<From extends ListedSource>(
  sources: readonly From[],
  ref: string,
  nth: number,
  cwd: string | undefined,
  onError: OnSourceError<From> = () => {},
): Promise<ResolvedSession<From>> {
  const recent = await ofEach(sources, onError, async (source) => {
    const infos = await recentSessions(source.storage, cwd, nth + sources.length, source.projectOf)
    return infos.map((info) => ({ source, path: info.path, info }))
  })
  const faces = [...conversationsOf(recent.flat(), sources).values()].sort(
    ([a], [b]) => comparePreference(a.info, b.info) || (a.path < b.path ? -1 : 1),
  )
  const [face, ...copies] = (faces[nth - 1] ?? []).map(({ source, path }): Copy<From> => ({ source, path }))
  if (face) return { ...face, copies }
  const count = faces.length
  const where = cwd === undefined ? "" : ` of ${cwd}`
  const many = count === 1 ? "is only 1 session" : `are only ${count} sessions`
  const message = count === 0 ? `There is no session${where}.` : `There ${many}${where}.`
  throw new TreelogError("SessionNotFoundError", message, { ref, count, ...(cwd !== undefined && { cwd }) })
}

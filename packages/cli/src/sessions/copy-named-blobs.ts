import { blobsNamedIn, type CopiedBlobs, copyBlobs } from "@treelog/blob-store"
import type { SessionEntry, SessionStorage } from "@treelog/session-core"
import { jsonText } from "@treelog/session-core/json"
import { artifactsFolder } from "@treelog/storage-fs"
import { plural, tallyText } from "@treelog-internal/text"
import { type CommandContext, Progress } from "../io/command-context.js"
import { blobsOf, type Sessions } from "../store/command-sessions.js"

/**
 * Copies the blobs that a copy of a session is going to name to where the copy will look for them, and says so: a session of
 * another store has its blobs there. They come before the copy, so that no line ever names a blob that is not there.
 * @param entries those that are copied; default: the whole file
 */
export async function copyNamedBlobs(
  context: CommandContext,
  sessions: Sessions<SessionStorage>,
  key: string,
  entries?: Iterable<SessionEntry>,
): Promise<void> {
  const place = { cwd: sessions.cwd, id: "copy", timestamp: new Date(context.io.now()).toISOString() }
  const [from, to] = [blobsOf(sessions, key), blobsOf(sessions, sessions.storage.keyFor(place))]
  if (!from || !to || from.name === to.name) return
  const artifacts = artifactsFolder(key) ?? []
  const files = [entries ? [] : key, artifacts].flat()
  const work = async (): Promise<CopiedBlobs> => {
    const named = [...(entries ? namedBlobs(entries) : []), ...(await blobsNamedIn(files))]
    return copyBlobs(new Set(named), await from.read(), await to.open())
  }
  const { copied, missing, damaged } = await new Progress(context).during(work(), () => "Copying blobs")
  if (copied.count > 0) await context.log(`${tallyText(copied)}, copied to ${to.name}`)
  const lost = missing.length + damaged.length
  if (lost > 0)
    await context.log(
      `${plural(lost, "blob")} of the session missing or damaged in ${from.name}; \`treelog verify\` lists them.`,
    )
}

const REFERENCE = /blob:sha256:([0-9a-f]{64})(?![0-9a-f])/g

/** The hashes that entries name anywhere, as a sweep looks for them. */
export function namedBlobs(entries: Iterable<SessionEntry>): Set<string> {
  const hashes = new Set<string>()
  for (const entry of entries) {
    for (const [, hash] of jsonText(entry).matchAll(REFERENCE)) if (hash !== undefined) hashes.add(hash)
  }
  return hashes
}

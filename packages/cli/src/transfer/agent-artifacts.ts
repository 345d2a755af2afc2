import { basename, join } from "node:path"
import { Readable } from "node:stream"
import { createGzip } from "node:zlib"
import type { SessionArtifact } from "@treelog/session-core/adapter"
import { artifactsFolder } from "@treelog/storage-fs"
import type { AgentStorage } from "@treelog/stores"
import { fileChunks, lstatIfThere, nodeFs, openPlain, readWhole, withStorageErrors } from "@treelog-internal/fs"

/** A file of the agent, and under which name it is stored. */
interface Source {
  readonly source: string
  /** Whether it is compressed already. */
  readonly isPacked: boolean
  readonly name: string
}

/**
 * What is stored with a session of an agent: the files that the agent keeps beside it, and its source files, compressed. These come last:
 * where they are stored as they are now, everything is that was there then, also after a kill, and only files with new names are to be stored.
 * @param key of the session in the agent's storage
 * @param to its key in the target
 * @throws SessionNotFoundError, StorageError
 */
export async function* agentArtifacts(agent: AgentStorage, key: string, to: string): AsyncGenerator<SessionArtifact> {
  const folder = artifactsFolder(to)
  const sources = (await agent.sourceFiles(key)).map((source, _, all): Source => {
    const isPacked = source.endsWith(".zst")
    const isPlain = all.length === 1 && !isPacked
    return {
      source,
      isPacked,
      name: isPlain ? "source.jsonl.gz" : `source-${basename(source)}${isPacked ? "" : ".gz"}`,
    }
  })
  const isComplete = sources.length > 0 && folder !== undefined
  if (isComplete && (await Promise.all(sources.map((each) => isStored(each, folder)))).every(Boolean)) {
    for await (const artifact of agent.artifacts(key))
      if (!(await lstatIfThere(nodeFs, join(folder, artifact.name)))) yield artifact
    return
  }
  yield* agent.artifacts(key)
  for (const { source, isPacked, name } of sources) {
    const bytes = fileChunks(nodeFs, source)
    yield { name, chunks: isPacked ? bytes : Readable.from(copied(bytes)).pipe(createGzip()) }
  }
}

/** Whether a source is stored as it is now. Sources grow: their size says so, and a gzip file ends with that of what is in it. */
function isStored({ source, isPacked, name }: Source, folder: string): Promise<boolean> {
  const target = join(folder, name)
  return withStorageErrors(target, "read", async () => {
    const [now, stored] = [await lstatIfThere(nodeFs, source), await lstatIfThere(nodeFs, target)]
    if (!now || !stored?.isFile()) return false
    if (isPacked) return stored.size === now.size
    const { file } = await openPlain(nodeFs, target)
    try {
      const end = new Uint8Array(4)
      const read = await readWhole(file, end, Math.max(0, Number(stored.size) - end.length))
      return read === end.length && BigInt(new DataView(end.buffer).getUint32(0, true)) === now.size % 2n ** 32n
    } finally {
      await file.close()
    }
  })
}

/** A stream may hold several pieces, and each is valid until the next one is asked for. */
async function* copied(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}

import { basename, dirname, join, sep } from "node:path"
import { Readable } from "node:stream"
import { createGzip } from "node:zlib"
import { artifactsFolder } from "@treelog/storage-fs"
import type { AgentStorage } from "@treelog/stores"
import {
  FILE_MODE,
  fileChunks,
  lstatIfThere,
  makeFolder,
  nodeFs,
  openPlain,
  readWhole,
  withStorageErrors,
  writeChunks,
} from "@treelog-internal/fs"

/** A file of the agent, and where it is kept. */
interface StoredSource {
  readonly source: string
  /** Whether it is compressed already. */
  readonly isPacked: boolean
  readonly target: string
}

/**
 * Stores what belongs to an imported session beside it: its source files, compressed, and the files that the agent keeps beside a session.
 * @param key of the session in the agent's storage
 * @param path of the stored session
 * @returns how many were stored
 * @throws StorageError
 */
export async function storeArtifacts(agent: AgentStorage, key: string, path: string): Promise<number> {
  const folder = artifactsFolder(path)
  if (folder === undefined) return 0
  const sources = (await agent.sourceFiles(key)).map((source, _, all): StoredSource => {
    const isPacked = source.endsWith(".zst")
    const name =
      all.length === 1 && !isPacked ? "source.jsonl.gz" : `source-${basename(source)}${isPacked ? "" : ".gz"}`
    return { source, isPacked, target: join(folder, name) }
  })
  if ((await Promise.all(sources.map(isStored))).every(Boolean)) return 0
  let stored = 0
  for await (const { name, chunks } of agent.artifacts(key)) {
    const target = join(folder, name)
    // A name comes from the agent's folder, or from a line of a session.
    if (!chunks || !target.startsWith(folder + sep)) continue
    await put(target, chunks)
    stored += 1
  }
  // The source comes last: where it is stored as it is now, everything is, also after a kill.
  for (const { source, isPacked, target } of sources) {
    const bytes = fileChunks(nodeFs, source)
    await put(target, isPacked ? bytes : Readable.from(copied(bytes)).pipe(createGzip()))
    stored += 1
  }
  return stored
}

/** Whether a source is stored as it is now. Sources grow: their size says so, and a gzip file ends with that of what is in it. */
function isStored({ source, isPacked, target }: StoredSource): Promise<boolean> {
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

/** Under a temporary name first, so that a file with its own name is complete. */
function put(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  return withStorageErrors(path, "write", async () => {
    makeFolder(nodeFs, dirname(path))
    const temp = `${path}.tmp`
    const file = nodeFs.openSync(temp, "w", FILE_MODE)
    try {
      await writeChunks(file, chunks)
      await file.sync()
    } finally {
      file.closeSync()
    }
    await nodeFs.rename(temp, path)
  })
}

/** A stream may hold several pieces, and each is valid until the next one is asked for. */
async function* copied(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}

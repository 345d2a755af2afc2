import { basename, dirname, join, sep } from "node:path"
import { Readable } from "node:stream"
import { createGzip } from "node:zlib"
import { artifactsFolder } from "@treelog/storage-fs"
import {
  FILE_MODE,
  fileChunks,
  lstatIfThere,
  makeFolder,
  nodeFs,
  withStorageErrors,
  writeChunks,
} from "@treelog-internal/fs"
import type { AgentStorage } from "../../sessions/open-agent.js"

/**
 * Stores what belongs to an imported session beside it: its source files, compressed, and the files that the agent keeps beside a session.
 * @param key of the session in the agent's storage
 * @param path of the stored session
 * @param isNew whether those that are there already are replaced
 * @returns how many were stored
 * @throws StorageError
 */
export async function storeArtifacts(agent: AgentStorage, key: string, path: string, isNew: boolean): Promise<number> {
  const folder = artifactsFolder(path)
  if (folder === undefined) return 0
  const sources = await agent.sourceFiles(key)
  let stored = 0
  for (const source of sources) {
    const isPacked = source.endsWith(".zst")
    const name =
      sources.length === 1 && !isPacked ? "source.jsonl.gz" : `source-${basename(source)}${isPacked ? "" : ".gz"}`
    const target = join(folder, name)
    if (!isNew && (await isThere(target))) continue
    const bytes = fileChunks(nodeFs, source)
    await put(target, isPacked ? bytes : Readable.from(copied(bytes)).pipe(createGzip()))
    stored += 1
  }
  if (!isNew && stored === 0) return 0
  for await (const { name, chunks } of agent.artifacts(key)) {
    const target = join(folder, name)
    // A name comes from the agent's folder, or from a line of a session.
    if (!target.startsWith(folder + sep)) continue
    await put(target, chunks)
    stored += 1
  }
  return stored
}

function isThere(path: string): Promise<boolean> {
  return withStorageErrors(path, "stat", async () => (await lstatIfThere(nodeFs, path)) !== undefined)
}

/** Under a temporary name first, so that a file with its own name is complete. */
function put(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  return withStorageErrors(path, "write", async () => {
    await makeFolder(nodeFs, dirname(path))
    const temp = `${path}.tmp`
    const file = await nodeFs.open(temp, "w", FILE_MODE)
    try {
      await writeChunks(file, chunks)
      await file.sync()
    } finally {
      await file.close()
    }
    await nodeFs.rename(temp, path)
  })
}

/** A stream may hold several pieces, and each is valid until the next one is asked for. */
async function* copied(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}

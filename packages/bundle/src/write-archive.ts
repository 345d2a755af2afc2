import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { type Pack, pack } from "tar-stream"
import { BundleError } from "./bundle-error.js"
import type { BundledSession } from "./manifest.js"
import { LARGEST_MANIFEST, MANIFEST, manifestText } from "./manifest.js"
import type { BundleSource } from "./measure.js"

/** The bytes of a bundle: a tar, by gzip; equal for equal sessions. */
export async function* archiveOf(
  sessions: readonly BundledSession[],
  sources: readonly BundleSource[],
): AsyncGenerator<Uint8Array> {
  const files = sources.map(({ path, size, sha256 }) => ({ path, size, sha256 }))
  const manifest = Buffer.from(manifestText({ sessions, files }))
  if (manifest.length > LARGEST_MANIFEST)
    throw new BundleError(`its manifest would have ${manifest.length} bytes; bundle fewer sessions at a time`)
  const [archive, gzip] = [pack(), createGzip()]
  const compressed = pipeline(archive, gzip)
  const packed = packAll(archive, manifest, sources).catch((error: Error) => {
    archive.destroy(error)
    throw error
  })
  // The first one is the cause of the other.
  const done = Promise.all([packed, compressed])
  done.catch(() => gzip.destroy())
  try {
    for await (const chunk of gzip) yield chunk as Uint8Array
    await done
  } catch (error) {
    await packed
    throw error
  } finally {
    archive.destroy()
    await Promise.allSettled([packed, compressed])
  }
}

async function packAll(archive: Pack, manifest: Uint8Array, sources: readonly BundleSource[]): Promise<void> {
  await packOne(archive, MANIFEST, manifest.length, [manifest])
  for (const { path, size, open } of sources) await packOne(archive, path, size, open())
  archive.finalize()
}

async function packOne(
  archive: Pack,
  name: string,
  size: number,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const entry = archive.entry({ name, size, mode: 0o600, mtime: new Date(0) })
  await pipeline(Readable.from(chunks, { objectMode: false }), entry)
}

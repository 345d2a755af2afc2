import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { FileBlobStore, type FsPort, nodeFs } from "@treelog/blob-store"
import { blobRef, webDigest } from "@treelog/session-core/adapter"
import { onTestFinished } from "vitest"

/** A folder that goes with the test. */
export async function tempDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "treelog-blob-store-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** The names in a folder, sorted; none when it is not there. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort()
}

/** For hundreds of runs: a sync takes milliseconds, and nothing of these tests outlives the machine. */
export const quickFs: FsPort = {
  ...nodeFs,
  open: async (path, flags, mode) => Object.assign(await nodeFs.open(path, flags, mode), { sync: async () => {} }),
}

const OLD = new Date("2026-01-01T00:00:00.000Z")

export async function makeOld(path: string): Promise<void> {
  await utimes(path, OLD, OLD)
}

/** An agent's folder: sessions, and blobs that were put long ago. */
export interface Agent {
  readonly dir: string
  readonly blobs: string
  readonly roots: readonly string[]
  readonly store: FileBlobStore
}

export async function agent(): Promise<Agent> {
  const dir = await tempDir()
  const [blobs, root] = [join(dir, "blobs"), join(dir, "sessions")]
  await mkdir(root, { recursive: true })
  return { dir, blobs, roots: [root], store: new FileBlobStore(blobs) }
}

/** As another program may have left it long ago. */
export async function oldBlob({ blobs }: Pick<Agent, "blobs">, text: string): Promise<string> {
  const hash = await webDigest.sha256(bytes(text))
  await mkdir(blobs, { recursive: true })
  await writeFile(join(blobs, hash), text)
  await makeOld(join(blobs, hash))
  return hash
}

/** A line of a session that names the blobs. */
export function lineNaming(...hashes: string[]): string {
  const content = hashes.map((hash) => ({ type: "image", data: blobRef(hash), mimeType: "image/png" }))
  return `${JSON.stringify({ type: "message", id: "00000001", parentId: null, message: { role: "user", content } })}\n`
}

/** Writes a file under the sessions' folder. */
export async function fileNaming({ roots }: Agent, name: string, content: string | Uint8Array): Promise<string> {
  const path = join(roots[0] ?? "", name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return path
}

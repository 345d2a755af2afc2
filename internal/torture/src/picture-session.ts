import { join } from "node:path"
import { FileBlobStore, nodeFs as realBlobFs } from "@treelog/blob-store"
import { SessionManager } from "@treelog/session-core"
import { FileSessionStorage, nodeFs as realFs } from "@treelog/storage-fs"
import { Random } from "@treelog-internal/test-kit/generator"

/** A store of sessions with a store of blobs, each on a file system that a test may break. */
export function picturesIn(folder: string, { fs = realFs, blobFs = realBlobFs } = {}): SessionManager {
  const storage = new FileSessionStorage({ agentDir: folder, terminalId: "torture", fs })
  return new SessionManager({ anyFile: true, storage, blobs: new FileBlobStore(join(folder, "blobs"), { fs: blobFs }) })
}

/** Writes a session whose images stand in its lines, as a program without a blob store does. Returns its path. */
export async function writePictures(folder: string, id: string, images: number, bytes: number): Promise<string> {
  const random = new Random(images + bytes)
  const storage = new FileSessionStorage({ agentDir: folder, terminalId: "torture" })
  const session = await new SessionManager({ storage }).create("/torture", { id })
  for (let image = 0; image < images; image++) {
    const data = Buffer.from(Uint8Array.from({ length: bytes }, () => random.below(256))).toString("base64")
    const content = [{ type: "image" as const, data, mimeType: "image/png" }]
    session.appendMessage({ role: "user", content, timestamp: image })
  }
  await session.close()
  return session.getSessionFile() ?? ""
}

import type { SessionInfo } from "@treelog/session-core"
import type { PruneFacts } from "@treelog/session-core/maintenance"
import { artifactsFolder } from "@treelog/storage-fs"
import type { CommandContext } from "../io/command-context.js"
import type { Sessions } from "../sessions/command-sessions.js"
import { folderSize } from "../stats/disk-use.js"

/** Finds a label entry in any layout of its JSON: within a string the quotes would be escaped. */
const LABEL = Buffer.from('"label"')
const BLOCK = 1 << 20

/** A session is deleted with its artifacts. @param ownerOf the store of a session */
export function pruneFacts({ io }: CommandContext, ownerOf: (path: string) => Sessions): PruneFacts {
  return {
    sizeOf: async ({ path, size }) => {
      io.interrupted.throwIfAborted()
      const artifacts = ownerOf(path).files && artifactsFolder(path)
      return size + (artifacts === undefined ? 0 : await folderSize(artifacts))
    },
    isInUse: async ({ path }) => (await ownerOf(path).files?.storage.holderOf(path)) !== undefined,
    hasLabels: (info) => hasLabels(ownerOf(info.path), info),
  }
}

/** Most sessions never had a label, which a search of their bytes shows without parsing. */
async function hasLabels(sessions: Sessions, info: SessionInfo): Promise<boolean> {
  if (!(await mentionsLabels(sessions, info))) return false
  const session = await sessions.manager.open(info.path, { access: "read" })
  try {
    return session.getEntries().some(({ id }) => session.getLabel(id) !== undefined)
  } finally {
    await session.close()
  }
}

async function mentionsLabels({ storage }: Sessions, { path, size }: SessionInfo): Promise<boolean> {
  const into = Buffer.allocUnsafe(BLOCK)
  for (let at = 0; at < size; at += BLOCK - LABEL.length + 1) {
    const bytes = await storage.readRange(path, at, BLOCK, undefined, into)
    if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(LABEL)) return true
  }
  return false
}

import { resolve } from "node:path"
import { FileBlobStore } from "@treelog/blob-store"
import { SessionManager } from "@treelog/session-core"
import { cleanLine, plural } from "@treelog-internal/text"
import { blobsFolder, readOnlyBlobs, storedBlobsFolder } from "../blobs/session-blobs.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { absoluteFolder } from "../io/io.js"
import { Progress } from "../io/progress.js"
import { composeSessions } from "../sessions/compose-sessions.js"

/** Takes a session from a file into the store: ids, parents, labels and leaf stay. The file is only read. */
export async function importSession(context: CommandContext, file: string): Promise<ExitCode> {
  const { io, options } = context
  const sessions = composeSessions(context)
  const from = absoluteFolder(io, file)
  const source = blobsFolder({ session: from, given: sessions.blobs, agentDir: sessions.agentDir })
  // `--blobs` is the source; the target is the store's folder.
  const target = storedBlobsFolder({ ...sessions, blobs: undefined })
  const manager = new SessionManager({ storage: sessions.storage, blobs: new FileBlobStore(target) })
  const importing = manager.import(from, {
    ...(options.cwd !== undefined && { cwd: resolve(io.cwd, options.cwd) }),
    ...(source !== target && { blobs: readOnlyBlobs(source) }),
    defaultCwd: sessions.cwd,
  })
  const report = await new Progress(context).during(context.hold(importing), () => "Importing the session")
  const { path, id, formerId, copied, missing } = report
  const session = await manager.open(path, { access: "read" })
  const [cwd, leafId] = [session.getCwd(), session.getLeafId()]
  await session.close()
  if (options.json) {
    await context.printJson({ sessionId: id, path, cwd, leafId, formerId: formerId ?? null, copied, missing })
    return EXIT.ok
  }
  await context.print([`${cleanLine(id)}  ${cleanLine(path)}`])
  if (formerId !== undefined) await context.log(`The id ${formerId} is taken; the session has a new one.`)
  if (copied.length > 0) await context.log(`Copied ${plural(copied.length, "blob")} from ${source}`)
  if (missing.length > 0)
    await context.log(
      `${plural(missing.length, "blob")} that it names ${missing.length === 1 ? "is" : "are"} neither in ${source} nor in the store; --blobs names another folder.`,
    )
  return EXIT.ok
}

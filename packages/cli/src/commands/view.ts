import { randomBytes } from "node:crypto"
import { basename } from "node:path"
import { NoBlobs } from "../blobs/no-blobs.js"
import { blobsOf } from "../blobs/session-blobs.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { openIndex } from "../search/open-index.js"
import { commandSessions } from "../sessions/command-sessions.js"
import { openForReading } from "../sessions/open-to-read-or-write.js"
import { openPrices } from "../stats/prices.js"
import { untilInterrupted } from "./view/until-interrupted.js"
import { serveAllSessions } from "./view/view-stores.js"

export interface ViewOptions {
  /** False with `--no-open`. */
  readonly open: boolean
  readonly port?: number
}

/** How many random bytes the token in the address has. */
const TOKEN_BYTES = 24

/**
 * Serves a session as a page for this machine, and follows it, until Ctrl-C; without one, the page of all sessions. Writes nothing but
 * the index, in treelog's own cache folder, when the page searches.
 */
export async function view(
  context: CommandContext,
  ref: string | undefined,
  { open, port = 0 }: ViewOptions,
): Promise<ExitCode> {
  const where = { token: randomBytes(TOKEN_BYTES).toString("base64url"), port }
  const { served, shown } = await (ref === undefined
    ? serveAllSessions(context, where)
    : serveOneSession(context, ref, where))
  await context.hold(untilInterrupted(context, served, { ...shown, open }))
  return EXIT.interrupted
}

async function serveOneSession(
  context: CommandContext,
  ref: string,
  where: { readonly token: string; readonly port: number },
): ReturnType<typeof serveAllSessions> {
  const session = await openForReading(context, ref)
  const key = session.getSessionFile() ?? ""
  const sessionId = session.getSessionId()
  const title = session.getSessionName() || sessionId
  await session.close()
  const sessions = await commandSessions(context)
  const { serveSession } = await import("@treelog/viewer")
  const { sharingOf } = await import("../transfer/share-sessions.js")
  const served = await serveSession({
    storage: sessions.storage,
    key,
    blobs: (await blobsOf(sessions, key)?.open("read")) ?? new NoBlobs("--blobs names where they are"),
    ...where,
    title,
    fileName: sessions.files ? basename(key) : `${sessionId}.jsonl`,
    search: { index: openIndex(context, sessions), sessionId },
    sharing: sharingOf(context, sessions),
    price: (await openPrices(context.io)).at(),
  })
  return { served, shown: { what: sessionId, document: { sessionId, path: key } } }
}

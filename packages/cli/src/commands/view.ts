import { randomBytes } from "node:crypto"
import { basename } from "node:path"
import type { ServedPage } from "@treelog/viewer"
import { NoBlobs } from "../blobs/no-blobs.js"
import { blobsOf } from "../blobs/session-blobs.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { openInBrowser } from "../io/open-in-browser.js"
import { openIndex } from "../search/open-index.js"
import { composeSessions } from "../sessions/compose-sessions.js"
import { openForReading } from "../sessions/open-session.js"

export interface ViewOptions {
  /** False with `--no-open`. */
  readonly open: boolean
  readonly port?: number
}

/** As many random bytes make the token in the address. */
const TOKEN_BYTES = 24

/** Serves a session as a page for this machine, and follows it, until Ctrl-C. Writes nothing but the index, in treelog's own cache folder, when the page searches. */
export async function view(
  context: CommandContext,
  ref: string | undefined,
  { open, port = 0 }: ViewOptions,
): Promise<ExitCode> {
  const session = await openForReading(context, ref)
  const key = session.getSessionFile() ?? ""
  const sessionId = session.getSessionId()
  const title = session.getSessionName() || sessionId
  await session.close()
  const sessions = await composeSessions(context)
  const { serveSession } = await import("@treelog/viewer")
  const served = await serveSession({
    storage: sessions.storage,
    key,
    blobs: (await blobsOf(sessions, key)?.open("read")) ?? new NoBlobs("--blobs names where they are"),
    token: randomBytes(TOKEN_BYTES).toString("base64url"),
    port,
    title,
    fileName: sessions.files ? basename(key) : `${sessionId}.jsonl`,
    search: { index: openIndex(context, sessions), sessionId },
  })
  await context.hold(untilInterrupted(context, served, { sessionId, path: key, open }))
  return EXIT.interrupted
}

interface Shown {
  readonly sessionId: string
  readonly path: string
  readonly open: boolean
}

async function untilInterrupted(
  context: CommandContext,
  { url, close }: ServedPage,
  { sessionId, path, open }: Shown,
): Promise<void> {
  const { interrupted, terminal } = context.io
  try {
    if (context.options.json) await context.printJson({ sessionId, path, url })
    else await context.print([url])
    await context.log(`Serving ${sessionId} on this machine only; Ctrl-C stops.`)
    if (open && terminal() && !interrupted.aborted && !(await openInBrowser(url)))
      await context.log("No browser could be started; open the address yourself.")
    if (!interrupted.aborted)
      await new Promise<void>((resolve) => interrupted.addEventListener("abort", () => resolve(), { once: true }))
  } finally {
    await close()
  }
}

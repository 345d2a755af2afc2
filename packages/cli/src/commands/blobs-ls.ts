import { tallyText } from "@treelog-internal/text"
import { requirePlace, storedBlobs } from "../blobs/session-blobs.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { blobLine, blobTitles } from "../render/blob-lines.js"
import { commandSessions } from "../sessions/command-sessions.js"

/** Prints every blob as it is found. */
export async function listBlobs(context: CommandContext): Promise<ExitCode> {
  const { io, options, style } = context
  const sessions = await commandSessions(context)
  const place = requirePlace(storedBlobs(sessions), sessions)
  const store = await place.open("read")
  const total = { count: 0, bytes: 0 }
  const lines = async function* (): AsyncGenerator<string> {
    for await (const blob of store.list()) {
      io.interrupted.throwIfAborted()
      if (total.count === 0) yield blobTitles(style)
      total.count += 1
      total.bytes += blob.size
      yield blobLine(blob, { style, now: io.now() })
    }
  }
  if (options.json) for await (const blob of store.list()) await context.printJson(blob)
  else await context.print(lines())
  await context.log(
    total.count === 0 ? `There are no blobs in ${place.name}.` : `${tallyText(total)} in ${place.name}.`,
  )
  return EXIT.ok
}

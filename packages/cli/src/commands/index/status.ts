import { stat } from "node:fs/promises"
import { ageOf, sizeText } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { readError } from "../../io/read-error.js"
import { factLines } from "../../render/table.js"
import { indexPath } from "../../search/index-path.js"
import { openIndex } from "../../search/open-index.js"
import { composeSessions } from "../../sessions/compose-sessions.js"

/** Says where the index is, how large it is, and which SQLite is used. Reads no session. */
export async function indexStatus(context: CommandContext): Promise<ExitCode> {
  const { io, style } = context
  const sessions = await composeSessions(context)
  const path = indexPath(io, sessions)
  const sqlite = await openIndex(context, sessions).driverName()
  const file = await fileFacts(path)
  if (context.options.json) {
    await context.printJson({
      store: sessions.address,
      path,
      size: file?.size ?? null,
      updated: file?.updated ?? null,
      sqlite,
    })
    return EXIT.ok
  }
  const size = file ? `${sizeText(file.size)}, updated ${ageOf(file.updated, io.now())}` : "not built yet"
  const facts = [
    ["store", sessions.address],
    ["index", path],
    ["size", size],
    ["SQLite", sqlite],
  ] as const
  await context.print(factLines(facts, style))
  return EXIT.ok
}

interface FileFacts {
  /** Bytes, with what SQLite has beside it. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly updated: number
}

async function fileFacts(path: string): Promise<FileFacts | undefined> {
  const [main, log] = [await factsOf(path), await factsOf(`${path}-wal`)]
  return main && { size: main.size + (log?.size ?? 0), updated: Math.max(main.updated, log?.updated ?? 0) }
}

async function factsOf(path: string): Promise<FileFacts | undefined> {
  try {
    const { size, mtimeMs } = await stat(path)
    return { size, updated: Math.floor(mtimeMs) }
  } catch (error) {
    const fault = readError(error, path)
    if (fault) throw fault
    return undefined
  }
}

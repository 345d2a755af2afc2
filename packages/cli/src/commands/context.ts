import type { SessionContext } from "@treelog/session-core"
import { type BlobReader, readContextFromEnd } from "@treelog/session-core/adapter"
import { blobsFolder } from "../blobs/session-blobs.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { absoluteFolder } from "../io/io.js"
import { Progress } from "../io/progress.js"
import { shortIds } from "../render/short-ids.js"
import { agentDirIn, composeStorage, cwdIn } from "../sessions/compose-storage.js"
import { existingSessionKey, NEWEST, READING } from "../sessions/find-session.js"
import { type ContextCommandOptions, printContext } from "./context/print-context.js"

// Usually the context at the leaf is wanted. It is read from the end of the file, without the code that opens a session.

export async function showContext(
  context: CommandContext,
  ref: string | undefined,
  options: ContextCommandOptions,
): Promise<ExitCode> {
  const { leaf, llm, full, repair } = options
  if (repair && !llm) throw new UsageError("--repair needs --llm; `treelog repair` repairs the session itself.")
  if (llm && full) throw new UsageError("--full does not apply to --llm, which never truncates.")
  if (leaf === undefined && !llm) return showCurrent(context, ref, options)
  const { showOpened } = await import("./context/opened.js")
  return showOpened(context, ref, options)
}

async function showCurrent(
  context: CommandContext,
  ref = NEWEST,
  { full = false, provider }: ContextCommandOptions,
): Promise<ExitCode> {
  const { io, options } = context
  const storage = composeStorage(context)
  const key = await existingSessionKey(storage, ref, options.all ? undefined : cwdIn(context))
  const given = options.blobs === undefined ? undefined : absoluteFolder(io, options.blobs)
  const folder = blobsFolder({ session: key, given, agentDir: agentDirIn(context) })
  const reading = async (): Promise<SessionContext> => {
    const forWhom = provider === undefined ? {} : { provider }
    const built = await readContextFromEnd(storage, key, { ...forWhom, blobs: blobsIn(folder) })
    return built ?? (await import("./context/opened.js")).readWhole(context, key, provider)
  }
  const built = await new Progress(context).during(reading(), () => READING)
  await printContext(context, built, { full, shortId: shortIds(built.entries), blobsFolder: folder })
  return EXIT.ok
}

/** Most contexts have none: their code is loaded with the first. */
function blobsIn(folder: string): BlobReader {
  let store: Promise<BlobReader> | undefined
  return {
    get: async (hash) => {
      store ??= import("./context/opened.js").then(({ readOnlyBlobs }) => readOnlyBlobs(folder))
      return (await store).get(hash)
    },
  }
}

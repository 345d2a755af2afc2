import type { BlobSource, SessionContext } from "@treelog/session-core"
import { readContextFromEnd } from "@treelog/session-core/adapter"
import type { CommandDefinition } from "../define/command.js"
import { NEWEST_OR } from "../define/shared-options.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import { shortIds } from "../render/short-ids.js"
import { findToRead } from "../sessions/find-session.js"
import { READING } from "../sessions/open-to-read-or-write.js"
import type { BlobPlace } from "../store/blob-place.js"
import { blobsOf } from "../store/session-blobs.js"
import { readWhole, showOpened } from "./context/opened.js"
import { type ContextCommandOptions, LLM_FORMATS, printContext } from "./context/print-context.js"

export const command: CommandDefinition = {
  job: "in scripts",
  bundledWith: ["store/folder-blobs", "store/session-manager"],
  summary: "print what the model would get",
  description: "Print the context: the messages that the model would get.",
  examples: [
    ["treelog context", "of the newest session here"],
    ["treelog context 01a1ffe2 --leaf 5e40b9ff", "at another entry of the tree"],
    ["treelog context @last --json | jq .messages", "only the messages"],
    ["treelog context --llm anthropic --repair", "a request for Anthropic's API"],
  ],
  arguments: [["[session]", NEWEST_OR]],
  options: [
    ["--leaf <entry>", "the context at this entry; `root` means before the first entry"],
    ["--provider <name>", "for this provider: without what its own compaction replaced"],
    ["--llm <format>", "print the messages as a model's API takes them, as JSON", { choices: LLM_FORMATS }],
    ["--repair", "with --llm: repair what the API would reject, and list the changes on stderr"],
    ["--full", "do not truncate"],
  ],
  run: showContext,
}

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
  return showOpened(context, ref, options)
}

async function showCurrent(
  context: CommandContext,
  ref: string | undefined,
  { full = false, provider }: ContextCommandOptions,
): Promise<ExitCode> {
  const { source, key } = await findToRead(context, ref)
  const place = blobsOf(source.sessions, key)
  const reading = async (): Promise<SessionContext> => {
    const forWhom = provider === undefined ? {} : { provider }
    const built = await readContextFromEnd(source.storage, key, { ...forWhom, ...(place && { blobs: blobsIn(place) }) })
    return built ?? readWhole(source.sessions, key, provider)
  }
  const built = await new Progress(context).during(reading(), () => READING)
  await printContext(context, built, { full, shortId: shortIds(built.entries), blobs: place?.name })
  return EXIT.ok
}

/** Most contexts have none: their code is loaded with the first. */
function blobsIn(place: BlobPlace): Pick<BlobSource, "get"> {
  let store: Promise<Pick<BlobSource, "get">> | undefined
  return {
    get: async (hash) => {
      store ??= place.read()
      return (await store).get(hash)
    },
  }
}

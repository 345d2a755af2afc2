import { join } from "node:path"
import { copySessions } from "@treelog/session-core/maintenance"
import {
  type AgentStorage,
  agentOfProgram,
  type OpenStore,
  programOf,
  type StoreName,
  storeNamed,
} from "@treelog/stores"
import { plural, sizeText } from "@treelog-internal/text"
import type { ChangeCommandOptions } from "../../define/command.js"
import { type ExitCode, UsageError } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { existingKey } from "../../sessions/find-session.js"
import { nothingExamined } from "../../sessions/open-library.js"
import { type BlobPlace, folderPlace, placeNamed, placeOfEnvironment } from "../../store/blob-place.js"
import { chosenStore, openNamedStore } from "../../store/chosen-store.js"
import { noPlaceFor, requireWritable } from "../../store/command-sessions.js"
import { projectsOf } from "../../store/scope.js"
import { agentArtifacts } from "../../transfer/agent-artifacts.js"
import { CopyTally, printCopied, withProgress } from "../../transfer/copy-report.js"

type CopySessionsOptions = Parameters<typeof copySessions>[0]

interface CopyCommandOptions extends ChangeCommandOptions {
  readonly from: string
  /** Default: the store of new sessions. */
  readonly to?: string
  readonly fromBlobs?: string
  readonly toBlobs?: string
}

/**
 * Copies sessions byte for byte from one store to another, but for the agent that their headers name in the store of another; repeated, it
 * copies what is new.
 */
export async function copy(
  context: CommandContext,
  refs: readonly string[],
  { from, to: given, fromBlobs, toBlobs, dryRun = false }: CopyCommandOptions,
): Promise<ExitCode> {
  assertOptions(context, refs)
  const { io } = context
  const source = await openSide(context, storeNamed(io, from, "--from"), "--from", fromBlobs)
  const target =
    given === undefined
      ? await openSide(context, chosenStore(context).name, "TREELOG_STORE", toBlobs)
      : await openSide(context, storeNamed(io, given, "--to"), "--to", toBlobs)
  requireWritable(target)
  if (source.address === target.address) throw new UsageError("--from and --to are the same store.")
  const agentOf = (name: string | undefined, side: Side): string => agentOfProgram(programOf(io, name, side) ?? "")
  const agent = agentOf(from, source)
  // treelog is no agent.
  const isOthers = !["", "treelog", agentOf(given, target)].includes(agent)
  const tally = new CopyTally(context)
  let processed = 0
  const reports = copySessions({
    ...(await selection(context, source, refs)),
    from: source.storage,
    to: target.storage,
    blobs: {
      from: await source.blobs?.read(),
      to: await target.blobs?.open(),
      onNoStore: noPlaceFor("--to-blobs"),
    },
    projectOf: projectsOf(context, target),
    ...(source.agent && {
      artifactsOf: (key: string, to: string) => agentArtifacts(source.storage as AgentStorage, key, to),
      isOriginal: true,
    }),
    ...(isOthers && { source: { agent } }),
    dryRun,
    signal: context.io.interrupted,
    onProgress: (bytes) => {
      processed += bytes
    },
  })
  const text = (): string => `Copied ${plural(tally.sessions, "session")}; ${sizeText(processed)} compared and stored`
  for await (const report of withProgress(context, reports, text)) await printCopied(context, tally, report, dryRun)
  if (tally.sessions === 0) return nothingExamined(context, [{ program: from, address: source.address }], true)
  await context.log(tally.sentence(dryRun, "--from-blobs names another place."))
  return tally.exitCode()
}

/** @throws UsageError */
function assertOptions({ options }: CommandContext, refs: readonly string[]): void {
  const { store, agentDir, sessionDir, blobs } = options
  if ([store, agentDir, sessionDir, blobs].some((given) => given !== undefined))
    throw new UsageError(
      "`import --from` a store takes its stores from --from and --to, not from --store or a folder option; their blobs from --from-blobs and --to-blobs.",
    )
  if (refs.length === 0 && options.all !== true) throw new UsageError("Name sessions, or give --all for every session.")
}

type Side = OpenStore & { readonly blobs: BlobPlace | undefined }

/**
 * @param by what names the store
 * @param blobs the value of `--from-blobs` or `--to-blobs`
 */
async function openSide(
  context: CommandContext,
  named: StoreName,
  by: "--from" | "--to" | "TREELOG_STORE",
  blobs: string | undefined,
): Promise<Side> {
  // The store of --to may be a new one.
  const exists = by === "--from"
  const option = exists ? "--from-blobs" : "--to-blobs"
  const store = await openNamedStore(context, named, { caches: false, exists })
  const place: BlobPlace | undefined =
    blobs === undefined
      ? (placeOfEnvironment(context, { name: named, isByOption: by !== "TREELOG_STORE" }) ??
        (store.files && folderPlace(join(store.files.agentDir, "blobs"))))
      : placeNamed(context, blobs, option)
  return { ...store, blobs: place }
}

async function selection(
  context: CommandContext,
  source: OpenStore,
  refs: readonly string[],
): Promise<Pick<CopySessionsOptions, "keys">> {
  if (refs.length === 0) return {}
  const named = { ...source, projectOf: projectsOf(context, source) }
  const keys = new Set<string>()
  for (const ref of refs) keys.add(await existingKey(named, context, ref))
  return { keys }
}

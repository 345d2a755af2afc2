import { AGENTS } from "@treelog/stores"
import { absoluteFolder, fileChunks, isFolder, nodeFs, statIfThere, withStorageErrors } from "@treelog-internal/fs"
import type { ExitCode } from "../errors/exit-codes.js"
import { flagOf, UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"

interface ImportCommandOptions {
  readonly from?: string
  readonly to?: string
  readonly project?: string
  readonly fromBlobs?: string
  readonly toBlobs?: string
  readonly map?: readonly string[]
  readonly dryRun?: boolean
}

/** Which options go with which source. */
const TAKES = {
  agent: ["from", "to", "project", "dryRun"],
  store: ["from", "to", "fromBlobs", "toBlobs", "dryRun"],
  bundle: ["map", "dryRun"],
  file: [],
} as const satisfies Readonly<Record<string, readonly (keyof ImportCommandOptions)[]>>

/** Stores sessions of an agent, of another store, of a bundle or of a file. */
export async function importInto(
  context: CommandContext,
  refs: readonly string[],
  options: ImportCommandOptions,
): Promise<ExitCode> {
  const { from } = options
  context.finishUnread()
  const [ref, ...others] = refs
  const agent = AGENTS.find((each) => each === from)
  if (from !== undefined && !agent) {
    requireFitting(options, "store", "--from a store")
    const { copy } = await import("./copy.js")
    return copy(context, refs, { ...options, from })
  }
  if (others.length > 0)
    throw new UsageError("Name one session or file at a time; --all means every session of --from.")
  if (agent) {
    requireFitting(options, "agent", "--from an agent")
    const { importFromAgent } = await import("./import/from-agent.js")
    return importFromAgent(context, agent, ref, options)
  }
  if (ref === undefined) throw new UsageError("Name a session file or a bundle, or an agent or a store with --from.")
  if (ref === "-" || (await isArchive(absoluteFolder(context.io, ref)))) {
    requireFitting(options, "bundle", "a bundle")
    const { unbundle } = await import("./unbundle.js")
    return unbundle(context, ref, options)
  }
  requireFitting(options, "file", "a session file")
  const { importFile } = await import("./import.js")
  return importFile(context, ref)
}

/** @throws UsageError */
function requireFitting(options: ImportCommandOptions, source: keyof typeof TAKES, name: string): void {
  const taken: readonly string[] = TAKES[source]
  const stranger = Object.keys(options).find((option) => !taken.includes(option))
  if (stranger === undefined) return
  throw new UsageError(`${flagOf(stranger)} cannot be used with ${name}.`)
}

/** Where a tar archive says what it is. */
const USTAR_AT = 257

/** Whether a file is a bundle, by its first bytes: a tar archive, or a compressed one. Its reader reports a file that is not there. */
async function isArchive(path: string): Promise<boolean> {
  if (!(await statIfThere(nodeFs, path)) || (await isFolder(path))) return false
  return withStorageErrors(path, "read", async () => {
    for await (const bytes of fileChunks(nodeFs, path)) {
      const head = Buffer.from(bytes).toString("latin1", 0, USTAR_AT + 5)
      return head.startsWith("\x1f\x8b") || head.endsWith("ustar")
    }
    return false
  })
}

import type { SessionContext } from "@treelog/session-core"
import type { CommandContext } from "../../io/command-context.js"
import { contextLines } from "../../render/context-lines.js"
import { printDiagnostics } from "../../sessions/print-diagnostics.js"

export interface ContextView {
  readonly full: boolean
  readonly shortId: (id: string) => string
  /** Where blobs were looked for. */
  readonly blobsFolder: string
}

export async function printContext(
  context: CommandContext,
  built: SessionContext,
  { blobsFolder, ...view }: ContextView,
): Promise<void> {
  if (context.options.json) return context.printJson(built)
  await context.print(contextLines(built, { style: context.style, ...view }))
  await reportMissing(context, built, blobsFolder)
}

export async function reportMissing(context: CommandContext, built: SessionContext, blobs: string): Promise<void> {
  await printDiagnostics(context, built.diagnostics)
  if (built.diagnostics.some(({ kind }) => kind === "missing-blob"))
    await context.log(`Some blobs are missing in ${blobs}; --blobs names another folder.`)
}

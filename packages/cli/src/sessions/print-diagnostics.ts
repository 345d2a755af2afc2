import type { Diagnostic } from "@treelog/session-core"
import type { CommandContext } from "../io/command-context.js"

/** Says what could not be had of a session, each thing once. */
export async function printDiagnostics(context: CommandContext, diagnostics: readonly Diagnostic[]): Promise<void> {
  for (const message of new Set(diagnostics.map(({ message }) => message))) await context.log(message)
}

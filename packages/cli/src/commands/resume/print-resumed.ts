import { cleanLine } from "@treelog-internal/text"
import type { CommandContext } from "../../io/command-context.js"

/** What one needs to go on with a session. */
export interface Resumed {
  readonly path: string
  readonly id: string
  readonly cwd: string
  readonly name?: string | undefined
}

/** Prints sessions, one a line. */
export async function printResumed(
  context: CommandContext,
  sessions: readonly Resumed[],
  print: "path" | "id",
): Promise<void> {
  if (context.options.json) {
    for (const { path, id, cwd, name } of sessions)
      await context.printJson({ path, id, cwd, ...(name !== undefined && { name }) })
  } else await context.print(sessions.map((session) => cleanLine(session[print])))
}

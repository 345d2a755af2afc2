import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { commandSessions } from "../sessions/command-sessions.js"
import { existingKey } from "../sessions/find-session.js"
import { withNewSession } from "../sessions/open-to-read-or-write.js"
import { printNewSession } from "../sessions/print-written.js"
import { requireWritable } from "../sessions/require-files.js"

interface NewOptions {
  readonly name?: string
  readonly id?: string
  readonly parent?: string
}

export async function newSession(context: CommandContext, { name, id, parent }: NewOptions): Promise<ExitCode> {
  const made = await withNewSession(
    context,
    async () => {
      const sessions = await commandSessions(context)
      requireWritable(sessions)
      const parentSession = parent === undefined ? undefined : await existingKey(sessions, context, parent)
      return (await sessions.manager()).create(sessions.cwd, {
        persist: "create",
        ...(id !== undefined && { id }),
        ...(parentSession !== undefined && { parentSession }),
      })
    },
    (session) => {
      if (name !== undefined) session.appendSessionInfo(name)
      return session
    },
  )
  await printNewSession(context, made)
  return EXIT.ok
}

import type { CommandDefinition } from "../define/command.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { existingKey } from "../sessions/find-session.js"
import { printNewSession, withNewSession } from "../sessions/open-to-read-or-write.js"
import { commandSessions, ownManager, requireWritable } from "../store/command-sessions.js"

export const command: CommandDefinition = {
  job: "in scripts",
  summary: "create a session",
  description: "Create a session, and print its id and path.",
  examples: [
    ["treelog new", "for this folder"],
    ['treelog new --name "API audit" --cwd ~/api', "with a name, for another folder"],
    ["treelog new --id nightly --parent @last", "with an id of your own"],
  ],
  options: [
    ["--name <name>", "name of the session"],
    ["--id <id>", "an id of your own: letters, digits, `.`, `_`, `-`"],
    ["--parent <session>", "the session that it was started from"],
  ],
  run: newSession,
}

export async function newSession(
  context: CommandContext,
  { name, id, parent }: Partial<Record<"name" | "id" | "parent", string>>,
): Promise<ExitCode> {
  const made = await withNewSession(
    context,
    async () => {
      const sessions = await commandSessions(context)
      requireWritable(sessions)
      const parentSession = parent === undefined ? undefined : await existingKey(sessions, context, parent)
      return (await ownManager(sessions)).create(sessions.cwd, {
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

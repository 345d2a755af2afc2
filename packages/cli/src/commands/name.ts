import { cleanLine } from "@treelog-internal/text"
import { type CommandDefinition, SESSION } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { findSession } from "../sessions/find-session.js"
import { openFound, printAppended, sessionFields, withSession } from "../sessions/open-to-read-or-write.js"

export const command: CommandDefinition = {
  job: "in scripts",
  summary: "name a session",
  description: "Name a session; without a name, print its name.",
  examples: [
    ['treelog name @last "Discount field"', "set the name"],
    ["treelog name @last", "print it"],
    ["treelog name @last --clear", "remove it"],
  ],
  arguments: [
    ["<session>", SESSION],
    ["[name]", "the name"],
  ],
  options: [["--clear", "remove the name"]],
  run: name,
}

export async function name(
  context: CommandContext,
  ref: string,
  text: string | undefined,
  { clear }: { readonly clear?: boolean },
): Promise<ExitCode> {
  if (clear && text !== undefined) throw new UsageError("Give a name or --clear, not both.")
  if (text === undefined && !clear) return printName(context, ref)
  const named = await withSession(context, ref, (session) => {
    const entryId = session.appendSessionInfo(text ?? "")
    return { session, entryId, name: session.getSessionName() ?? null }
  })
  await printAppended(context, named)
  await context.log(named.name === null ? "The session has no name now." : `The session is named ${named.name} now.`)
  return EXIT.ok
}

async function printName(context: CommandContext, ref: string): Promise<ExitCode> {
  const session = await openFound(context, await findSession(context, ref))
  const name = session.getSessionName()
  const { sessionId, path } = sessionFields(session)
  await context.report({ sessionId, path, name: name ?? null }, name === undefined ? [] : [cleanLine(name)])
  if (name === undefined) await context.log("The session has no name.")
  return EXIT.ok
}

import { type CommandDefinition, ENTRY, SESSION } from "../define/command.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { findEntry, printAppended, withSession } from "../sessions/open-to-read-or-write.js"

export const command: CommandDefinition = {
  job: "in scripts",
  summary: "label an entry",
  description: "Label an entry; without a text, remove its label.",
  examples: [
    ["treelog label @last 90f5a690 works", "label an entry"],
    ["treelog label @last 90f5a690", "remove the label"],
  ],
  arguments: [
    ["<session>", SESSION],
    ["<entry>", ENTRY],
    ["[text]", "the label"],
  ],
  run: label,
}

export async function label(
  context: CommandContext,
  ref: string,
  entry: string,
  text: string | undefined,
): Promise<ExitCode> {
  const labelled = await withSession(context, ref, (session) => {
    const targetId = findEntry(session, entry)
    return {
      session,
      entryId: session.appendLabelChange(targetId, text),
      targetId,
      label: session.getLabel(targetId) ?? null,
    }
  })
  await printAppended(context, labelled)
  const { targetId, label: set } = labelled
  await context.log(
    set === null ? `Entry ${targetId} has no label now.` : `Entry ${targetId} has the label ${set} now.`,
  )
  return EXIT.ok
}

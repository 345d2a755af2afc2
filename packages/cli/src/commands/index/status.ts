import { numberText, sizeText } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { factLines } from "../../render/table.js"
import { openIndex } from "../../search/open-index.js"
import { commandSessions } from "../../sessions/command-sessions.js"

/** Says where the index is, what it has, and which SQLite is used. Reads no session. */
export async function indexStatus(context: CommandContext): Promise<ExitCode> {
  const found = await commandSessions(context)
  const { path, bytes, sessions, entries, texts, driver } = await openIndex(context, found, true).status()
  if (context.options.json) {
    await context.printJson({ store: found.address, path, bytes, sessions, entries, texts, sqlite: driver })
    return EXIT.ok
  }
  const facts = [
    ["store", found.address],
    ["index", path],
    ["size", sizeText(bytes)],
    ["sessions", sessions === 0 ? "none yet; `treelog index --update` reads them" : numberText(sessions)],
    ["entries", numberText(entries)],
    ["texts", numberText(texts)],
    ["SQLite", driver],
  ] as const
  await context.print(factLines(facts, context.style))
  return EXIT.ok
}

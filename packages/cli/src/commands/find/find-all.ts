import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { everyStore, nothingExamined } from "../../sessions/every-store.js"
import { quietContext } from "../../tui/frame/start-picker.js"
import { find } from "./find.js"

/** `treelog` alone, in a terminal: finds everything; where there is no session at all, prints the help. */
export async function findAll(context: CommandContext, help: string): Promise<ExitCode> {
  const stores = await everyStore(quietContext(context))
  for (const { sessions } of stores)
    for await (const _ of sessions.storage.list()) {
      const alternatives = "`treelog --help` lists the commands"
      return find(context, stores, { command: "treelog", alternatives, view: "sessions", query: "", scope: "all" })
    }
  await context.write(help)
  await nothingExamined(context, stores, true)
  return EXIT.ok
}

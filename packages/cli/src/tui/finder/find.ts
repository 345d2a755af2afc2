import { TreelogError } from "@treelog/session-core"
import { cleanTabbed } from "@treelog-internal/text"
import { resumed } from "../../agents/resumed.js"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import type { Terminal } from "../../io/io.js"
import { hitDocument } from "../../search/hit-printer.js"
import { type CommandLibrary, nothingExamined, openLibrary, openScoped, placesOf } from "../../sessions/open-library.js"
import { pickerLook, quietContext, requireTerminal, startPicker } from "../frame/picker.js"
import { Finder, type FinderStart } from "./finder.js"
import { Finding, type FindOptions } from "./finding.js"
import type { Picked, Source } from "./found.js"

/** What the finder shows at first; which command needs the terminal, and what does the same without one. */
type ScopedStart = Omit<FinderStart, "scope"> & { readonly command: string; readonly alternatives: string }

/**
 * The finder in the folder that a command is about, where a person is at a terminal.
 * @throws UsageError where there is no terminal, before a store is read; SessionNotFoundError where there is no session to choose
 */
export async function findScoped(
  given: CommandContext,
  { command, alternatives, ...start }: ScopedStart,
  options?: FindOptions,
): Promise<ExitCode> {
  const terminal = requireTerminal(given, command, alternatives)
  const { context, library } = await openScoped(quietContext(given))
  if (start.view === "sessions" && !(await library.isAny())) {
    const message = `There are no sessions in ${placesOf(library.sources)}. \`treelog new\` creates one.`
    throw new TreelogError("SessionNotFoundError", message, { ref: "" })
  }
  return find(given, terminal, library, { ...start, scope: context.options.all ? "all" : "project" }, options)
}

/** `treelog` alone, in a terminal: finds everything; where there is no session at all, prints the help. */
export async function findAll(context: CommandContext, terminal: Terminal, help: string): Promise<ExitCode> {
  const library = await openLibrary(quietContext(context))
  if (await library.isAny()) return find(context, terminal, library, { view: "sessions", query: "", scope: "all" })
  await context.write(help)
  await nothingExamined(context, library.sources, true)
  return EXIT.ok
}

/** Lets the user find sessions, hits and prompts as they type, and continues what they chose as `resume` does; with --json prints it. */
async function find(
  context: CommandContext,
  terminal: Terminal,
  library: CommandLibrary,
  start: FinderStart,
  options: FindOptions = {},
): Promise<ExitCode> {
  const look = pickerLook(context)
  const found = new Finding(context, library, options)
  const finder = new Finder(start, found, look)
  const working = found.work(finder)
  try {
    const picked = await startPicker(finder, terminal, look, context.io.interrupted)
    await found.stop(working)
    return picked ? await goOnWith(context, picked, options.how) : EXIT.interrupted
  } finally {
    await found.stop(working)
    // A name that is being written is completed, even if the user leaves.
    await context.released()
  }
}

async function goOnWith(
  context: CommandContext,
  { found: { source }, action }: Picked<Source>,
  how: FindOptions["how"] = {},
): Promise<ExitCode> {
  if (source.kind === "prompt") {
    await context.report(source.prompt, [cleanTabbed(source.prompt.text)])
    return EXIT.ok
  }
  const { store } = source
  if (source.kind === "session") {
    const { path, id, cwd, name } = source.info
    return resumed(context, [{ store, path, id, cwd, name }], how)
  }
  const { session, hit } = source
  if (context.options.json) {
    await context.printJson(hitDocument(store.program, session, hit))
    return EXIT.ok
  }
  const { key: path, id, cwd, name } = session
  const leaf = action === "at-end" || hit.part ? {} : { leaf: hit.entryId }
  return resumed(context, [{ store, path, id, cwd, name }], { ...how, ...leaf })
}

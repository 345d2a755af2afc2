import {
  type FileQuery,
  type FileUse,
  type FilterValues,
  fileNameOf,
  filesOfCall,
  filterValues,
  parseQuery,
  sessionTitle,
} from "@treelog/session-core/search"
import type { FoundUse, SessionFilter } from "@treelog/stores"
import { ageOf, cleanLine, folderLine, plural } from "@treelog-internal/text"
import { type CommandDefinition, positiveInteger, SINCE, UNTIL } from "../define/command.js"
import { FILTER_OPTIONS } from "../define/filter-options.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { storedShortIds } from "../render/short-ids.js"
import { type Column, tableLines, titleText } from "../render/table.js"
import { partDocument } from "../search/hit-printer.js"
import { refreshIndex, warnOfUnread } from "../search/refresh-index.js"
import { endsOfPath } from "../search/search-query.js"
import { type CommandLibrary, type CommandSource, nothingExamined, openScoped } from "../sessions/open-library.js"
import { type TimeOptions, timesOf } from "../sessions/time-options.js"
import { ofScope } from "../store/scope.js"

export const command: CommandDefinition = {
  job: "find",
  summary: "list sessions that read or changed a file",
  description: "List the sessions of this folder that read or changed a file, the newest use first.",
  examples: [
    ["treelog files src/retry.ts", "sessions that read or changed it"],
    ["treelog files retry.ts --changed --all", "only changes, in every folder"],
  ],
  arguments: [["<path>", "path of a file, or its end"]],
  options: [
    ...FILTER_OPTIONS,
    ["--changed", "only changes"],
    ["--since <time>", SINCE],
    ["--until <time>", UNTIL],
    ["-n, --limit <count>", "print at most this many sessions (default: 50)", { parse: positiveInteger }],
  ],
  run: files,
}

interface FilesOptions extends TimeOptions, FilterValues {
  readonly changed?: boolean
  readonly limit?: number
}

const LIMIT = 50

/** A session that read or changed a file, and the store that it is in. */
interface FileSession {
  readonly source: CommandSource
  readonly session: FileUse["session"]
  /** The newest first; at least one. */
  readonly uses: [FileUse, ...FileUse[]]
}

export async function files(given: CommandContext, path: string, options: FilesOptions): Promise<ExitCode> {
  const { changed = false, limit = LIMIT } = options
  const times = timesOf(options, given.io.now())
  const asked = {
    ...filterValues((name) => options[name]),
    ...times,
    isChanged: changed,
    path: endsOfPath(given, path),
  }
  const { context, library, scope } = await openScoped(given)
  warnOfUnread(context, (await refreshIndex(context, library)).failed)
  const query = { scope, ...asked }
  const uses = await library.files({ ...query, limit: Number.MAX_SAFE_INTEGER })
  const sessions = bySession(uses)
  const unknown = await unknownCalls(library, query, fileNameOf(path), new Set(uses.map(entryKey)))
  const shown = sessions.slice(0, limit)
  const more = sessions.length - shown.length
  if (context.options.json && shown.length > 0) for (const one of shown) await context.printJson(documentOf(one))
  else if (shown.length > 0) await printTable(context, library, shown)
  else if (!(await library.isAny({ scope }))) return nothingExamined(context, library.sources)
  else {
    const hint = context.options.all ? "." : "; --all searches every folder."
    await context.log(
      `No session${ofScope({ cwd: scope, projectOf: library.sources[0]?.projectOf })} ${changed ? "changed" : "read or changed"} ${path} by a tool for files${hint}`,
    )
    await context.log(
      "What shell commands and unknown tools do to files is not known; `treelog search` finds their calls.",
    )
  }
  if (unknown.calls > 0) await printUnknown(context, unknown, fileNameOf(path))
  if (more > 0) await printMore(context, more)
  return shown.length > 0 ? EXIT.ok : EXIT.failed
}

/** @param uses the newest first */
function bySession(uses: readonly FoundUse<CommandSource>[]): FileSession[] {
  const sessions = new Map<string, FileSession>()
  for (const { source, ...use } of uses) {
    const known = sessions.get(sessionKey({ source, ...use }))
    if (known) known.uses.push(use)
    else sessions.set(sessionKey({ source, ...use }), { source, session: use.session, uses: [use] })
  }
  return [...sessions.values()]
}

async function printMore(context: CommandContext, more: number): Promise<void> {
  if (context.options.json) await context.printJson({ more: { sessions: more } })
  else await context.log(`${plural(more, "more session")} with this file; --limit shows more.`)
}

/** Calls that name a file, of tools whose effect on it is unknown. */
interface UnknownCalls {
  calls: number
  /** Whether there are more calls than were counted. */
  isMore: boolean
  tools: string[]
}

/** The most calls that are counted. */
const MOST_CALLS = 1000

/** @param known the entries of which it is known, such as a patch that was run in a shell */
async function unknownCalls(
  library: CommandLibrary,
  { path: _, isChanged: __, ...filter }: FileQuery & SessionFilter,
  name: string,
  known: ReadonlySet<string>,
): Promise<UnknownCalls> {
  const unknown: UnknownCalls = { calls: 0, isMore: false, tools: [] }
  const { terms = [] } = parseQuery(`"${name.replaceAll('"', "")}"`, 0)
  if (terms.length === 0) return unknown
  const { sessions, isMore } = await library.search({ ...filter, terms, roles: ["toolCall"], limit: MOST_CALLS })
  unknown.isMore = isMore
  for (const { source, session, hits } of sessions)
    for (const { tool, entryId } of hits) {
      if ((tool !== undefined && filesOfCall(tool, {})) || known.has(entryKey({ source, session, entryId }))) continue
      unknown.calls += 1
      const called = tool ?? "a shell"
      if (!unknown.tools.includes(called)) unknown.tools.push(called)
    }
  return unknown
}

type Placed = Pick<FoundUse<CommandSource>, "source" | "session">

function sessionKey({ source, session }: Placed): string {
  return `${source.name}\0${session.key}`
}

function entryKey({ entryId, ...place }: Placed & Pick<FileUse, "entryId">): string {
  return `${sessionKey(place)}\0${entryId}`
}

async function printUnknown(context: CommandContext, unknown: UnknownCalls, name: string): Promise<void> {
  if (context.options.json) return await context.printJson({ cannotTell: unknown })
  const tools = unknown.tools.map(cleanLine).join(", ")
  const search = `treelog search '${cleanLine(name)}' --role toolCall${context.options.all ? " --all" : ""}`
  const calls = `${unknown.isMore ? "at least " : ""}${plural(unknown.calls, "call")}`
  await context.log(`Cannot tell what ${calls} of ${tools} did to ${name}: \`${search}\`.`)
}

/** The facts of the newest use, and all uses. */
function documentOf({ session, source: { program }, uses }: FileSession): object {
  const { key, source: _, created: __, parentSession: ___, part: ____, ...facts } = session
  const all = uses.map(({ session: _, part, ...use }) => ({ ...use, part: partDocument(part) }))
  return { store: program, session: { path: key, ...facts }, ...all[0], uses: all }
}

async function printTable(
  context: CommandContext,
  { sources }: CommandLibrary,
  sessions: readonly FileSession[],
): Promise<void> {
  const { style, now, home } = context.look
  const ids = await storedShortIds(...sources.map(({ storage }) => storage))
  ids.add(sessions.map(({ session }) => session.id))
  const rows: (FileSession & { readonly title: string })[] = []
  for (const one of sessions)
    rows.push({ ...one, title: await sessionTitle(one.source.storage, one.session, context.io.interrupted) })
  const folderOf = ({ session }: FileSession): string => folderLine(session.cwd, home)
  const columns: Column<(typeof rows)[number]>[] = [
    {
      title: "SESSION",
      cell: ({ session }) => cleanLine(ids.of(session.id)),
      paint: (_, text) => style.paint("cyan", text),
    },
    { title: "ENTRY", cell: ({ uses }) => cleanLine(uses[0].entryId), most: 16, omit: 2 },
    { title: "AGE", cell: ({ uses }) => ageOf(uses[0].time, now), align: "right" },
    { title: "USE", cell: ({ uses }) => countsOf(uses) },
    { title: "PATH", cell: ({ uses }) => cleanLine(uses[0].path), most: 40, least: 12 },
    ...(context.options.all ? [{ title: "FOLDER", cell: folderOf, most: 28, least: 12, omit: 1 }] : []),
    { title: "NAME OR FIRST MESSAGE", cell: ({ title }) => titleText(title, style) },
  ]
  await context.print(tableLines(columns, rows, style))
}

/** `changed 3x, read`. */
function countsOf(uses: readonly FileUse[]): string {
  const changes = uses.filter(({ isChange }) => isChange).length
  const count = (verb: string, times: number): string[] =>
    times === 0 ? [] : [times === 1 ? verb : `${verb} ${times}x`]
  return [...count("changed", changes), ...count("read", uses.length - changes)].join(", ")
}

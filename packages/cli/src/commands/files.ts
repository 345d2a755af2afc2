import {
  type FileQuery,
  type FileUse,
  fileNameOf,
  filesOfCall,
  type IndexUpdateReport,
  parseQuery,
  sessionTitle,
} from "@treelog/session-core/search"
import { ageOf, cleanLine, folderLine, plural } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { storedShortIds } from "../render/short-ids.js"
import { type Column, tableLines } from "../render/table.js"
import { titleText } from "../render/titles.js"
import { partDocument } from "../search/hit-printer.js"
import { refreshIndex, warnOfUnread } from "../search/refresh-index.js"
import { endsOfPath } from "../search/search-query.js"
import { type IndexedStore, indexedStores } from "../search/searched-store.js"
import { isNothingThere, nothingExamined } from "../sessions/every-store.js"
import { filterOfScope, ofScope } from "../sessions/scope.js"
import { type TimeOptions, timesOf } from "../sessions/time-options.js"

interface FilesOptions extends TimeOptions {
  /** Only changes. */
  readonly changed?: boolean
  readonly limit?: number
}

const LIMIT = 50

/** An entry that read or changed a file, and the store that its session is in. */
type StoredUse = FileUse & { readonly store: IndexedStore }

/** Lists the entries that read or changed a file. */
export async function files(context: CommandContext, path: string, options: FilesOptions): Promise<ExitCode> {
  const { changed = false, limit = LIMIT } = options
  const times = timesOf(options, context.io.now())
  const asked = { ...times, isChanged: changed, limit, path: endsOfPath(context, path) }
  const found: StoredUse[] = []
  const unknown: UnknownCalls = { calls: 0, tools: [] }
  const unread: IndexUpdateReport["failed"][number][] = []
  const stores = await indexedStores(context)
  for (const store of stores) {
    unread.push(...(await refreshIndex(context, store.index)).failed)
    const query = { ...filterOfScope(store.sessions.scope), ...asked }
    const uses = await store.index.files({ ...query, limit: Math.max(limit, MOST_CALLS) })
    found.push(...uses.map((use) => ({ ...use, store })))
    await addUnknownCalls(unknown, store, query, fileNameOf(path), new Set(uses.map(entryKey)))
  }
  warnOfUnread(context, unread)
  const uses = found.sort((a, b) => b.time - a.time).slice(0, limit)
  const scope = stores[0]?.sessions.scope ?? {}
  if (context.options.json && uses.length > 0) for (const use of uses) await context.printJson(documentOfUse(use))
  else if (uses.length > 0) await printTable(context, stores, uses)
  else if (await isNothingThere(stores, false)) return nothingExamined(context, stores)
  else {
    const hint = context.options.all ? "." : "; --all searches every folder."
    await context.log(
      `No session${ofScope(scope)} ${changed ? "changed" : "read or changed"} ${path} by a tool for files${hint}`,
    )
    await context.log(
      "What shell commands and unknown tools do to files is not known; `treelog search` finds their calls.",
    )
  }
  if (unknown.calls > 0) await printUnknown(context, unknown, fileNameOf(path))
  return uses.length > 0 ? EXIT.ok : EXIT.failed
}

/** Calls that name a file, of tools whose effect on it is unknown. */
interface UnknownCalls {
  calls: number
  tools: string[]
}

/** The most calls of one store that are counted. */
const MOST_CALLS = 1000

/** @param known the entries of which it is known, such as a patch that was run in a shell */
async function addUnknownCalls(
  unknown: UnknownCalls,
  { index }: IndexedStore,
  { path: _, isChanged: __, ...filter }: FileQuery,
  name: string,
  known: ReadonlySet<string>,
): Promise<void> {
  const { terms = [] } = parseQuery(`"${name.replaceAll('"', "")}"`, 0)
  if (terms.length === 0) return
  const { sessions } = await index.search({ ...filter, terms, roles: ["toolCall"], limit: MOST_CALLS })
  for (const { session, hits } of sessions)
    for (const { tool, entryId } of hits) {
      if ((tool !== undefined && filesOfCall(tool, {})) || known.has(entryKey({ session, entryId }))) continue
      unknown.calls += 1
      const called = tool ?? "a shell"
      if (!unknown.tools.includes(called)) unknown.tools.push(called)
    }
}

function entryKey({ session, entryId }: Pick<FileUse, "session" | "entryId">): string {
  return `${session.key}\0${entryId}`
}

async function printUnknown(context: CommandContext, unknown: UnknownCalls, name: string): Promise<void> {
  if (context.options.json) return await context.printJson({ cannotTell: unknown })
  const tools = unknown.tools.map(cleanLine).join(", ")
  const search = `treelog search '${cleanLine(name)}' --role toolCall${context.options.all ? " --all" : ""}`
  await context.log(`Cannot tell what ${plural(unknown.calls, "call")} of ${tools} did to ${name}: \`${search}\`.`)
}

function documentOfUse({ session, store: { program }, part, ...use }: StoredUse): object {
  const { key, created: _, parentSession: __, part: ___, ...facts } = session
  const store = program !== undefined && { store: program }
  return { ...store, session: { path: key, ...facts }, ...use, ...partDocument(part) }
}

async function printTable(
  context: CommandContext,
  stores: readonly IndexedStore[],
  uses: readonly StoredUse[],
): Promise<void> {
  const { io, options, style } = context
  const ids = await storedShortIds(...stores.map(({ sessions }) => sessions.storage))
  ids.add(uses.map(({ session }) => session.id))
  const titles = new Map<string, string>()
  for (const { session, store } of uses)
    if (!titles.has(session.key))
      titles.set(session.key, await sessionTitle(store.sessions.storage, session, io.interrupted))
  const columns: Column<StoredUse>[] = [
    {
      title: "SESSION",
      cell: ({ session }) => cleanLine(ids.of(session.id)),
      paint: (_, text) => style.paint("cyan", text),
    },
    { title: "ENTRY", cell: ({ entryId }) => cleanLine(entryId), most: 16, omit: 2 },
    { title: "AGE", cell: ({ time }) => ageOf(time, io.now()), align: "right" },
    { title: "USE", cell: ({ isChange }) => (isChange ? "changed" : "read") },
    { title: "PATH", cell: ({ path }) => cleanLine(path), most: 40, least: 12 },
  ]
  if (options.all)
    columns.push({
      title: "FOLDER",
      cell: ({ session }) => folderLine(session.cwd, io.env.HOME),
      most: 28,
      least: 12,
      omit: 1,
    })
  columns.push({
    title: "NAME OR FIRST MESSAGE",
    cell: ({ session }) => titleText(titles.get(session.key) ?? "", style),
  })
  await context.print(tableLines(columns, uses, style))
}

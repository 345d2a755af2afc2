import type { SessionInfo, SessionStorage } from "@treelog/session-core"
import { compareRecency, listSessions } from "@treelog/session-core/adapter"
import { JointStorage, type OpenStore } from "@treelog/stores"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { warnOfMore } from "../../render/more.js"
import { byFolder, DayLines, groupLines } from "../../render/session-groups.js"
import { agentText, sessionColumns, sessionDocument } from "../../render/session-table.js"
import { StoredIds } from "../../render/short-ids.js"
import { tableLines } from "../../render/table.js"
import { chosenStore } from "../../sessions/chosen-store.js"
import { everyFolder } from "../../sessions/every-store.js"
import { agentOfStore, isOfAgent } from "../../sessions/of-agent.js"
import { openNamedStore } from "../../sessions/open-named-store.js"
import { type MeantStore, openEach } from "../../sessions/program-stores.js"
import { projectGroups, projectsOf, type Scope, scopeOf } from "../../sessions/scope.js"
import { isWithin, type Times } from "../../sessions/time-options.js"
import { ListedPrices } from "../../stats/prices.js"

type StoredInfo = SessionInfo & {
  readonly store: string
  /** Older copies of the same session, in other stores. */
  readonly copies?: readonly { readonly store: string; readonly path: string }[]
}

/** Lists the sessions of all programs together, newest first. */
export async function listStores(
  context: CommandContext,
  stores: readonly MeantStore[],
  { isGrouped, ...asked }: Pick<Asked, "times" | "limit" | "agent"> & { isGrouped: boolean },
): Promise<ExitCode> {
  const { io, options, style } = context
  const { times, limit } = asked
  const opened = await openEach(context, stores, async ({ program = "", context: own }): Promise<Opened> => {
    const store = await openNamedStore(own, chosenStore(own).name)
    return { program, ofStore: agentOfStore(own, store), ...store, ...scopeOf(own, projectsOf(own, store)) }
  })
  const ids = new StoredIds()
  const prices = new ListedPrices(io)
  const isStreamed = options.json === true && !isGrouped
  const sorted: StoredInfo[] = []
  let count = 0
  for await (const info of newestFirst(opened, { ...asked, ids, isStreamed, signal: io.interrupted })) {
    if (count === limit) {
      warnOfMore(context, "sessions", limit)
      break
    }
    count += 1
    if (isStreamed) {
      await prices.prepare([info])
      await context.printJson(sessionDocument(info, prices.price))
    } else sorted.push(info)
  }
  if (count === 0) {
    const wide = await everyFolder(
      context,
      opened.map(({ storage, cwd, projectOf }) => ({
        storage,
        scope: { ...(cwd !== undefined && { cwd, projectOf }) },
      })),
    )
    if (wide) {
      const all = stores.map((one) => ({ ...one, context: one.context.with({ ...one.context.options, all: true }) }))
      return listStores(wide, all, { isGrouped, ...asked })
    }
    const { nothingListed } = await import("./nothing-listed.js")
    return nothingListed(context, opened, times)
  }
  if (isStreamed) return EXIT.ok
  const groups = isGrouped ? byFolder(sorted, projectGroups(context)) : undefined
  const shown = groups ? [...groups.values()].flat() : sorted
  await prices.prepare(shown)
  if (options.json) for (const info of shown) await context.printJson(sessionDocument(info, prices.price))
  else {
    const short = await ids.short(...opened.map(({ storage }) => storage))
    const look = {
      style,
      now: io.now(),
      shortId: (id: string) => short.of(id),
      withCwd: !groups && (options.all === true || shown.some(({ cwd }) => cwd !== shown[0]?.cwd)),
      home: io.env.HOME,
      price: prices.price,
    }
    const [id, ...others] = sessionColumns(look)
    const agent = { title: "AGENT", cell: (info: SessionInfo) => agentOf(info as StoredInfo) }
    const isMixed = shown.some((one) => agentOf(one) !== agentOf(shown[0] as StoredInfo) || one.copies)
    const columns = [...(id ? [id] : []), ...(isMixed ? [agent] : []), ...others]
    await context.print(
      groups ? groupLines(groups, columns, look) : new DayLines(style).of(tableLines(columns, shown, style), shown),
    )
  }
  return EXIT.ok
}

type Opened = OpenStore & Scope & { readonly program: string; readonly ofStore: string }

interface Asked {
  readonly times: Times
  /** Sees all ids of the stores. */
  readonly ids: StoredIds
  readonly limit: number | undefined
  /** Only sessions of this agent. */
  readonly agent: string | undefined
  /** Each as soon as nothing that was written later can follow. */
  readonly isStreamed: boolean
  readonly signal: AbortSignal
}

/** The sessions of several stores, newest first. Those with the same id are copies of one: it comes once, as its newest copy. */
async function* newestFirst(
  stores: readonly Opened[],
  { times, ids, limit, agent, isStreamed, signal }: Asked,
): AsyncGenerator<StoredInfo> {
  const places = new Map<string, { store: string; path: string }[]>()
  const see = (store: string, path: string, id: string): void => {
    ids.see({ id })
    const copies = places.get(id)
    if (copies) copies.push({ store, path })
    else places.set(id, [{ store, path }])
  }
  // A list of all sessions sees each of them before it knows which is the newest.
  const isSeen = (cwd: string | undefined): boolean => cwd === undefined && !isStreamed
  for (const { storage, program, cwd } of stores)
    for await (const { key, id, error } of isSeen(cwd) ? [] : storage.list())
      if (!error) see(program, key, id ?? (await idOf(storage, key)))
  const isTimed = times.since !== undefined || times.until !== undefined || agent !== undefined
  const heads: {
    readonly store: string
    readonly isOf: (info: SessionInfo) => boolean
    readonly infos: AsyncGenerator<SessionInfo>
    info: SessionInfo
  }[] = []
  for (const { storage, cwd, projectOf, program: store, ofStore } of stores) {
    const order = isStreamed ? "streamed" : "newest"
    const infos = listSessions(storage, cwd, {
      order,
      projectOf,
      signal,
      ...(limit !== undefined && !isTimed && { limit: limit + 1 }),
      ...(isSeen(cwd) && { onScanned: ({ key, id }) => see(store, key, id) }),
    })
    const { value: info } = await infos.next()
    if (info) heads.push({ store, isOf: isOfAgent(agent, ofStore), infos, info })
  }
  const listed = new Set<string>()
  try {
    for (let head = newestOf(heads); head; head = newestOf(heads)) {
      const { info, store, isOf, infos } = head
      const isCopied = !info.error && info.id !== ""
      if (!(isCopied && listed.has(info.id)) && isWithin(times, info.modified) && isOf(info)) {
        const copies = isCopied ? (places.get(info.id) ?? []).filter(({ path }) => path !== info.path) : []
        yield { ...info, store, ...(copies.length > 0 && { copies }) }
      }
      // Also of one that is too new: its older copies stand for the same conversation.
      if (isCopied) listed.add(info.id)
      const { value: following } = await infos.next()
      if (following) head.info = following
      else heads.splice(heads.indexOf(head), 1)
    }
  } finally {
    // What was read so far is kept in the caches.
    for (const { infos } of heads) await infos.return(undefined)
  }
}

function newestOf<Head extends { readonly info: SessionInfo }>(heads: readonly Head[]): Head | undefined {
  let newest = heads[0]
  for (const head of heads) {
    if (!newest || head === newest) continue
    const order = compareRecency(head.info, newest.info) || (head.info.path < newest.info.path ? -1 : 1)
    if (order < 0) newest = head
  }
  return newest
}

/** The id of a session whose name has none. */
async function idOf(storage: SessionStorage, key: string): Promise<string> {
  for await (const { id } of listSessions(new JointStorage([storage], key), undefined)) return id
  return ""
}

function agentOf({ store, agent = store, copies = [] }: StoredInfo): string {
  return agentText(
    copies.length > 0 ? store : agent,
    copies.map((copy) => copy.store),
  )
}

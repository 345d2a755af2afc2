import {
  type Cost,
  costOf,
  type IndexedSession,
  listedInfo,
  type SearchHit,
  type SessionHits,
  sessionTitle,
} from "@treelog/session-core/search"
import type { FoundHits } from "@treelog/stores"
import { ageOf, cleanLine, costText, folderLine, type Style, timeAt } from "@treelog-internal/text"
import type { CommandContext } from "../io/command-context.js"
import { commandLine } from "../io/shell-command.js"
import { type ShortIds, shortSessionIds, storedShortIds } from "../render/short-ids.js"
import { snippetText } from "../render/snippet-text.js"
import { type Look, titleText } from "../render/table.js"
import { truncated, widthOf } from "../render/width.js"
import type { CommandSource } from "../sessions/open-library.js"
import { ListedPrices } from "../sessions/prices.js"
import type { ContextEntry, HitContext } from "./hit-context.js"

export class HitPrinter {
  readonly #context: CommandContext
  /** Entries around each hit. */
  readonly #around: number
  readonly #withCwd: boolean
  readonly #ids = new Map<CommandSource, Promise<ShortIds>>()
  /** Ids that several sessions of a source have: a path distinguishes these. */
  readonly #repeated = new Map<CommandSource, ReadonlySet<string>>()
  readonly #prices: ListedPrices
  #hasPrinted = false

  constructor(context: CommandContext, { around, withCwd }: { readonly around: number; readonly withCwd: boolean }) {
    this.#context = context
    this.#around = around
    this.#withCwd = withCwd
    this.#prices = new ListedPrices(context.io)
  }

  /** @param isUpToDate whether the index has all sessions: then their ids come from it, and the storage is not listed */
  async print(found: FoundHits<CommandSource>, isUpToDate: boolean): Promise<void> {
    const { source, session, hits } = found
    // Without context, nothing is needed that opens sessions.
    const { hitContexts } = this.#around > 0 ? await import("./hit-context.js") : {}
    const contexts = hitContexts && (await aroundHits(hitContexts, source, session.key, hits, this.#around))
    const cost = await this.#costOf(source, session)
    if (!this.#context.options.json)
      return this.#printLines(found, { ids: await this.#shortIds(source, isUpToDate), cost, contexts })
    for (const [at, hit] of hits.entries())
      await this.#context.printJson({ ...hitDocument(source.program, session, hit, cost), context: contexts?.[at] })
  }

  async #printLines(
    { source, session, hits }: FoundHits<CommandSource>,
    { ids, cost, contexts }: { ids: ShortIds; cost: Cost | undefined; contexts: HitContext[] | undefined },
  ): Promise<void> {
    const { io } = this.#context
    const { storage } = source
    ids.add([session.id])
    const shortId = ids.of(session.id)
    const title = await sessionTitle(storage, session, io.interrupted)
    const look = { ...this.#context.look, withCwd: this.#withCwd }
    const store = session.agent === source.madeBy ? source.program : session.agent
    const shown = { session, title, shortId, time: hits[0]?.time ?? 0, cost, store }
    const lines = [...(this.#hasPrinted ? [""] : []), sessionHeading(shown, look)]
    for (const [at, hit] of hits.entries()) {
      // A part has no short id.
      const shown = hit.part?.key ?? (this.#repeated.get(source)?.has(session.id) ? session.key : shortId)
      const command = commandLine(["show", shown, "--leaf", hit.entryId], source.options)
      lines.push(...hitLines(hit, command, contexts?.[at] ?? { before: [], after: [] }, look))
    }
    this.#hasPrinted = true
    await this.#context.print(lines)
  }

  /** What a session cost, as lists show it, or by the index where it was not listed yet; undefined where no usage was reported. */
  async #costOf({ storage, index, address }: CommandSource, { key, id }: IndexedSession): Promise<Cost | undefined> {
    const listed = await listedInfo(storage, key)
    const usages =
      listed?.usages ?? (await (await index()).usage({ session: id, sources: [address] })).flatMap((row) => row.usages)
    if (usages.length === 0) return undefined
    await this.#prices.prepare([{ usages }])
    return costOf(usages, this.#prices.price)
  }

  #shortIds(source: CommandSource, isUpToDate: boolean): Promise<ShortIds> {
    const ofIndex = async () => {
      const ids = (await (await source.index()).ids(source.address)).sort()
      this.#repeated.set(source, new Set(ids.filter((id, at) => id === ids[at + 1])))
      return shortSessionIds(ids)
    }
    const known = this.#ids.get(source) ?? (isUpToDate ? ofIndex() : storedShortIds(source.storage))
    this.#ids.set(source, known)
    return known
  }
}

/** What comes before and after each hit, in its session or in the part of it. */
async function aroundHits(
  hitContexts: typeof import("./hit-context.js").hitContexts,
  sessions: CommandSource,
  key: string,
  hits: readonly SearchHit[],
  count: number,
): Promise<HitContext[]> {
  const contexts = new Map<SearchHit, HitContext>()
  const placeOf = ({ part }: SearchHit): string => part?.key ?? key
  for (const place of new Set(hits.map(placeOf))) {
    const own = hits.filter((hit) => placeOf(hit) === place)
    const found = await hitContexts(sessions, place, own, count)
    for (const [at, hit] of own.entries()) contexts.set(hit, found[at] ?? { before: [], after: [] })
  }
  return hits.map((hit) => contexts.get(hit) ?? { before: [], after: [] })
}

/** A hit as a JSON document. @param program whose store it is from, where several are searched @param cost of the session */
export function hitDocument(
  program: string | undefined,
  session: SessionHits["session"],
  { part, content: _content, ...hit }: SearchHit,
  cost?: Cost,
): object {
  const { key, source: _, created: __, parentSession: ___, part: ____, ...facts } = session
  return { store: program, session: { path: key, ...facts, cost }, ...hit, part: partDocument(part) }
}

/** Where in a session something was found, if in a part of it. */
export function partDocument(part: SearchHit["part"]): object | undefined {
  return part && { path: part.key, name: part.name, role: part.role }
}

/** The session of hits, as it is shown. */
interface ShownSession {
  readonly session: IndexedSession
  readonly title: string
  readonly shortId: string
  /** The time of its first hit. Milliseconds since 1970. */
  readonly time: number
  /** Undefined where no usage was reported. */
  readonly cost: Cost | undefined
  /** The program of its store, where several are searched. */
  readonly store: string | undefined
}

/** `Fix the flaky test  01a1ffe2  3h  ~$1.24  ~/shop`. */
function sessionHeading(
  shown: ShownSession,
  { style, now, withCwd, home }: Look & { readonly withCwd: boolean },
): string {
  const { session, title, shortId, time, cost, store } = shown
  const facts = [
    shortId,
    ageOf(time, now),
    cost ? costText(cost) : "",
    store ?? "",
    withCwd ? folderLine(session.cwd, home) : "",
  ]
  const [id = "", ...others] = facts.map(cleanLine).filter((fact) => fact !== "")
  const right = [id, ...others].join("  ")
  const room = style.width === undefined ? undefined : Math.max(0, style.width - widthOf(right) - 2)
  const name = truncated(titleText(title, style) || "(no name)", room, style.glyphs.ellipsis)
  return `${style.paint("bold", name)}  ${style.paint("cyan", id)}${style.paint("dim", ["", ...others].join("  "))}`
}

const INDENT = "  "

/** A hit: who said it, when, and the snippet; what comes before and after it; and the command that shows it. */
function* hitLines(
  { role, tool, part, time, snippet }: SearchHit,
  command: string,
  { before, after }: HitContext,
  { style }: Look,
): Generator<string> {
  for (const entry of before) yield contextLine(entry, style)
  const who = cleanLine(sayer({ role, tool, part }))
  const head = [...(time === 0 ? [] : [timeAt(time)]), who].join("  ")
  const room = style.width === undefined ? undefined : style.width - widthOf(head) - INDENT.length * 2
  yield `${INDENT}${style.paint("dim", head)}  ${snippetText(snippet, style, room)}`
  for (const entry of after) yield contextLine(entry, style)
  // Not cut, so that it can be copied.
  yield `${INDENT}${INDENT}${style.paint("dim", command)}`
}

/** `toolResult bash in subagents/agent-1.jsonl`. */
export function sayer({ role, tool, part }: Pick<SearchHit, "role" | "tool" | "part">): string {
  return [role, tool, part && `in ${part.name}`].filter(Boolean).join(" ")
}

function contextLine({ who, text }: ContextEntry, style: Style): string {
  const room = style.width === undefined ? undefined : style.width - INDENT.length * 2
  return `${INDENT}${INDENT}${style.paint("dim", style.cut(`${who}: ${text}`, room))}`
}

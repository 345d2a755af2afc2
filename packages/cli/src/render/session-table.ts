import { basename } from "node:path"
import type { SessionInfo } from "@treelog/session-core"
import { type Cost, costOf, type PriceUsage } from "@treelog/session-core/search"
import type { LiveState } from "@treelog/stores"
import { ageOf, cleanLine, folderLine, listedCostText, numberText, type Paint, sizeText } from "@treelog-internal/text"
import { withoutPath } from "./result-lines.js"
import { type Column, type Look, tableLines, titleText } from "./table.js"

interface SessionTableOptions extends Look {
  readonly shortId: (id: string) => string
  /** Sessions of several folders: say whose each is. */
  readonly withCwd: boolean
  /** What estimates the cost of a session whose program wrote none. */
  readonly price?: PriceUsage | undefined
}

/** Columns that a title gets, if it needs them, before the other columns get theirs. */
const LEAST_TITLE = 36

/** Columns of a title beside the cost and the model. */
const WIDE_TITLE = 60

/** Columns of a title without which a list says too little: what else can be left out goes first. */
export const SHORT_TITLE = 16

const STATUS_PAINTS: Readonly<Record<string, Paint>> = {
  error: "red",
  aborted: "yellow",
  interrupted: "yellow",
  pending: "cyan",
}

/** How the last turn ended, which is left out of a complete or empty session; whether no person had it, whether it was made from another, and had the id of another. */
export function statusText({ status, messageCount, kind, parentSession, otherContentOf }: StatusInfo): string {
  const isShown = status !== "complete" && messageCount !== 0 && kind !== "empty"
  const fork = parentSession === undefined || kind === "subtask" ? undefined : "fork"
  const other = otherContentOf === undefined ? undefined : "other content"
  return [isShown ? status : undefined, kind, fork, other].filter((part) => part !== undefined).join(" ")
}

/** `pi`, `pi (claude-code)`: where the newest copy is, and the others. */
export function agentText(store: string, copies: readonly string[]): string {
  const others = [...new Set(copies)].filter((other) => other !== store)
  return cleanLine(others.length === 0 ? store : `${store} (${others.join(", ")})`)
}

type StatusInfo = Pick<SessionInfo, "status" | "messageCount" | "kind" | "parentSession" | "otherContentOf">

/** How many messages it has, if that is known. */
export function countText({ messageCount, error }: Pick<SessionInfo, "messageCount" | "error">): string {
  return error || messageCount === undefined ? "-" : numberText(messageCount)
}

/** The columns of a list, of which some sessions are known. @param withCwd whether they are of several folders */
export type ColumnsOf<Info extends SessionInfo> = (
  shown: readonly Info[],
  withCwd: boolean,
  price: PriceUsage,
) => Column<Info>[]

/** One line a session. What cannot be read is a row too, with its error. */
export function sessionTable(sessions: readonly SessionInfo[], options: SessionTableOptions): string[] {
  return tableLines(sessionColumns(options), sessions, options.style)
}

export function sessionColumns(options: SessionTableOptions): Column<SessionInfo>[] {
  const { style, now, shortId, withCwd, home, price } = options
  const red = (row: SessionInfo, text: string): string => (row.error ? style.paint("red", text) : text)
  const columns: Column<SessionInfo>[] = [
    {
      title: "ID",
      cell: ({ id, path }) => cleanLine(shortId(id) || basename(path)),
      least: 20,
      paint: (_, text) => style.paint("cyan", text),
    },
    { title: "AGE", cell: ({ modified }) => ageOf(modified, now), align: "right" },
    { title: "SIZE", cell: ({ size }) => sizeText(size), align: "right", omit: 3 },
    { title: "MSGS", cell: countText, align: "right", omit: 2 },
    {
      title: "COST",
      cell: (info) => listedCostText(info, price),
      align: "right",
      omit: 4,
      beside: WIDE_TITLE,
      isSparse: true,
    },
    {
      title: "MODEL",
      cell: ({ model = "" }) => cleanLine(model.slice(model.lastIndexOf("/") + 1)),
      most: 24,
      omit: 5,
      beside: WIDE_TITLE,
      isSparse: true,
    },
  ]
  if (withCwd) columns.push({ title: "FOLDER", cell: ({ cwd }) => folderLine(cwd, home), most: 28, least: 12, omit: 1 })
  columns.push({
    title: "STATUS",
    cell: (info) => (info.error ? "! broken" : statusText(info)),
    paint: (row, text) => (row.error ? red(row, text) : style.paint(STATUS_PAINTS[row.status] ?? "dim", text)),
    omit: 0,
    beside: SHORT_TITLE,
  })
  columns.push({
    title: "NAME OR FIRST MESSAGE",
    least: LEAST_TITLE,
    cell: ({ path, name, firstMessage, error }) =>
      error ? cleanLine(withoutPath(error.message, path)) : titleText(name ?? firstMessage, style),
    paint: (row, text) => (row.name && !row.error ? style.paint("bold", text) : red(row, text)),
  })
  return columns
}

const LIVE_PAINTS: Readonly<Record<LiveState["state"], Paint>> = {
  works: "green",
  "waits-for-permission": "yellow",
  "waits-for-prompt": "cyan",
  done: "dim",
  dead: "red",
  unknown: "dim",
}

/** `waits for permission 3m`: what a session does, and for how long. */
export function liveColumn({ style, now }: Look): Column<LiveInfo> {
  return {
    title: "STATE",
    cell: ({ live }) => (live ? liveText(live, now) : ""),
    paint: ({ live }, text) => (live ? style.paint(paintOfLive(live), text) : text),
  }
}

export function liveText({ state, since }: LiveState, now: number): string {
  return `${state.replaceAll("-", " ")} ${ageOf(since, now)}`
}

export function paintOfLive({ state }: LiveState): Paint {
  return LIVE_PAINTS[state]
}

interface LiveInfo {
  readonly live?: LiveState
}

/** A session of a list in a document: with its cost in place of the usage that it is made of. */
export function sessionDocument<Info extends SessionInfo>(
  { usages, ...info }: Info,
  price: PriceUsage | undefined,
): Omit<Info, "usages"> & { readonly cost?: Cost } {
  return { ...info, ...(usages && { cost: costOf(usages, price) }) }
}

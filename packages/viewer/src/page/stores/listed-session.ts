import { titleLine } from "@treelog/session-core/adapter"
import { type Cost, foldText } from "@treelog/session-core/search"
import { costText, folderLine } from "@treelog-internal/text"
import type { SessionLine, SessionsLink } from "../source/sessions-client.js"
import { readableLine } from "../text/readable-text.js"

/** A session in the list. Its texts are safe to display. */
export interface ListedSession {
  /** Of all sessions of the page: the id, which all copies have. What cannot be read is no copy, and has its store before it. */
  readonly key: string
  readonly store: string
  /** Who made it, by its header, or else whose store it is in; empty where that is not known. */
  readonly agent: string
  /** The agent as the page shows it: with the profile where the store is one. */
  readonly agentText: string
  readonly id: string
  /** The address of the session; undefined for one that is shown nowhere. */
  readonly href: string | undefined
  /** The folder of its project as it is stored, for comparisons. */
  readonly project: string
  /** The project as it is shown. */
  readonly projectText: string
  readonly folder: string
  /** The name, or else the first message; empty where it has neither. */
  readonly title: string
  /** Milliseconds since 1970. */
  readonly modified: number
  readonly messageCount: number | undefined
  /** Of the last answer, without its provider; empty where it is not known. */
  readonly model: string
  /** Such as `~$1.24`; `–` of one that was not read yet, and empty where no usage was reported. */
  readonly cost: string
  /** Bytes. */
  readonly size: number
  readonly status: SessionLine["status"]
  /** Made by a program, or without a conversation; undefined for what a person had. */
  readonly kind: SessionLine["kind"]
  /** What it does, for people: `waits for permission`; empty where that is not said. */
  readonly live: string
  /** Made from another one. */
  readonly isFork: boolean
  /** The other stores that have it too; one name a line. */
  readonly copies: string
  /** Why it cannot be read. */
  readonly fault: string | undefined
  /** What the filter looks in, folded. */
  readonly folded: string
}

/** How much of a title and of a folder is kept. UTF-16 units. */
const MOST_OF_TITLE = 200

export function listedSession({ stores, home, hrefOf }: SessionsLink, line: SessionLine): ListedSession {
  const { id, cwd, project = cwd, name, firstMessage, modified, messageCount, size, status, kind, cost, error } = line
  const { store = "", copies = [] } = line
  const title = readableLine(titleLine(name || firstMessage), MOST_OF_TITLE)
  const textOf = (path: string) => (path === "" ? "No folder" : readableLine(folderLine(path, home), MOST_OF_TITLE))
  const folder = textOf(cwd)
  return {
    key: error || id === "" ? `${store}/${id}` : id,
    store,
    agent: line.agent ?? stores.find(({ name }) => name === store)?.agent ?? "",
    agentText: readableLine(line.agent ?? store, 40),
    id,
    href: id === "" ? undefined : hrefOf(store, id),
    project,
    projectText: project === cwd ? folder : textOf(project),
    folder,
    title,
    modified,
    messageCount,
    model: readableLine(line.model?.replace(/^.*\//, "") ?? "", 40),
    cost: cost && hasUsage(cost) ? costText(cost) : messageCount === undefined && !error ? "–" : "",
    size,
    status,
    kind,
    live: readableLine(line.live?.state.replaceAll("-", " ") ?? "", 40),
    copies: copies.join("\n"),
    isFork: line.parentSession !== undefined && line.kind !== "subtask",
    fault: error && readableLine(error.code, 80),
    folded: foldText(`${title}\n${cwd}\n${folder}\n${id}`),
  }
}

const STATUS: Partial<Record<ListedSession["status"], string>> = {
  error: "error",
  aborted: "aborted",
  interrupted: "interrupted",
  pending: "in progress",
}

const KIND: Readonly<Record<NonNullable<ListedSession["kind"]>, string>> = {
  sdk: "by a program",
  subtask: "subtask",
  archived: "archived",
  empty: "no conversation",
}

type Marked = Pick<ListedSession, "status" | "kind" | "isFork" | "copies" | "live">

/** What is said of it beside its title: how its last turn ended, who had it, and whether there are others like it. */
export function marksOf({ status, kind, isFork, copies, live }: Marked): string[] {
  const marks = [
    live === "" ? undefined : live,
    kind === "empty" || live !== "" ? undefined : STATUS[status],
    kind && KIND[kind],
    isFork ? "fork" : undefined,
    copies === "" ? undefined : `also in ${readableLine(copies.replaceAll("\n", ", "), 200)}`,
  ]
  return marks.filter((mark) => mark !== undefined)
}

function hasUsage({ reported, estimated, unpriced, free }: Cost): boolean {
  return reported + estimated > 0 || unpriced.models.length > 0 || free.length > 0
}

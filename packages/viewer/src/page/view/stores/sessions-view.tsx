import { FILTER_NAMES } from "@treelog/session-core/search"
import type { JSX } from "preact"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { VirtualList } from "../../scroll/virtual-list.js"
import { type ListedSession, marksOf } from "../../stores/listed-session.js"
import { openedBefore } from "../controls/list-steps.js"
import { dayText, numberText, plural, sizeText, timeText } from "../format-values.js"
import { FilterBar } from "./filter-bar.js"
import { NoMatch, Notes } from "./index-notes.js"
import { rowKey, rowOf } from "./stores-keys.js"
import type { StoresPage } from "./stores-page.js"

/** The list of sessions, the newest first. */
export function SessionsView({ page }: { readonly page: StoresPage }): JSX.Element {
  const { sessions, fault } = page.shown
  const list = useRef<VirtualList>(null)
  const focus = (row: number): void => list.current?.focusRow(row, document.activeElement)
  const opened = useRef(useMemo(openedBefore, []))
  useEffect(() => {
    const row = opened.current === undefined ? -1 : sessions.findIndex(({ href }) => href === opened.current)
    if (row !== -1) focus(row)
    if (row !== -1 || page.isComplete) opened.current = undefined
  }, [sessions, page.isComplete])
  return (
    <>
      <FilterBar
        page={page}
        label="Filter the list by title, folder or id"
        placeholder="Filter by title, folder or id"
        toList={() => focus(0)}
      />
      <p class="count faint" role="status">
        {fault ?? countOf(page)}
      </p>
      {sessions.length === 0 && (page.list.size > 0 || page.isNarrow) && page.isComplete && fault === undefined && (
        <NoMatch page={page} text="No session matches." filters={["q", "store", "since", ...FILTER_NAMES]} />
      )}
      <VirtualList
        ref={list}
        count={sessions.length}
        rows={sessions}
        estimate={(row) => (isFirstOfDay(sessions, row) ? 102 : 58)}
        keyOf={(row) => sessions[row]?.key ?? row}
        renderRow={(row) => (
          <>
            {isFirstOfDay(sessions, row) && <p class="day">{dayOf(sessions[row])}</p>}
            <SessionRow session={sessions[row]} hasStores={page.link.stores.length > 1} />
          </>
        )}
        attributes={{
          class: "feed sessions",
          role: "group",
          "aria-label": "Sessions",
          "aria-busy": !page.isComplete,
          tabIndex: 0,
          onKeyDown: (event) => rowKey(event, sessions.length, focus),
          onClick: (event) => open(event, page),
          onAuxClick: (event) => open(event, page),
        }}
      />
      <Notes page={page} />
    </>
  )
}

function countOf({ shown: { sessions }, list, isComplete, isNarrow, faults }: StoresPage): string {
  if (list.size === 0 && faults.length > 0) return ""
  if (list.size === 0 && !(isNarrow && isComplete))
    return isComplete ? "There are no sessions yet." : "Reading the sessions …"
  const of = sessions.length < list.size ? ` of ${plural(list.size, "session")}` : ""
  const count = of === "" ? plural(sessions.length, "session") : `${numberText(sessions.length)}${of}`
  return isComplete ? count : `${count}, still reading …`
}

/** The sessions of a day are under its name. */
function dayOf(session: ListedSession | undefined): string | undefined {
  if (session?.kind === "empty") return "No conversation"
  return session && session.modified > 0 ? dayText(new Date(session.modified).toISOString()) : undefined
}

function isFirstOfDay(sessions: readonly ListedSession[], row: number): boolean {
  return dayOf(sessions[row]) !== dayOf(sessions[row - 1])
}

function open(event: MouseEvent, page: StoresPage): void {
  const at = rowOf(event)
  const { sessions } = page.shown
  const session = at === undefined ? undefined : sessions[at]
  if (at === undefined || !session) return
  const hrefs = sessions.map(({ href }) => href)
  page.opened(hrefs, at, session, event)
}

const BAD_MARKS: ReadonlySet<string> = new Set(["error", "dead", "waits for permission"])

interface SessionRowProps {
  readonly session: ListedSession | undefined
  readonly hasStores: boolean
}

function SessionRow({ session, hasStores }: SessionRowProps): JSX.Element | null {
  if (!session) return null
  const { href, title, folder, store, agentText, modified, messageCount, model, cost, size, fault } = session
  return (
    // Without an address it leads nowhere, and is chosen with the keys all the same.
    <a class="session-row" href={href} tabIndex={href === undefined ? -1 : undefined}>
      <span class="session-title">
        <bdi>{title || (messageCount === 0 ? "No messages" : "No name")}</bdi>
        {fault !== undefined && <span class="badge bad">cannot be read: {fault}</span>}
        {marksOf(session).map((mark) => (
          <span key={mark} class={`badge ${BAD_MARKS.has(mark) ? "bad" : "quiet"}`}>
            {mark}
          </span>
        ))}
      </span>
      <span class="session-when">{modified > 0 ? timeText(new Date(modified).toISOString()) : ""}</span>
      <span class="session-folder">
        {(hasStores || agentText !== store) && <span class="store-name badge quiet">{agentText}</span>}
        <span class="path">
          <bdi>{folder}</bdi>
        </span>
      </span>
      <span class="session-size">
        {cost !== "" && <span class="session-cost">{cost}</span>}
        <span>
          {model && <bdi>{model}, </bdi>}
          {messageCount === undefined ? "" : `${plural(messageCount, "message")}, `}
          {sizeText(size)}
        </span>
      </span>
    </a>
  )
}

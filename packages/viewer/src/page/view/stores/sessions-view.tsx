import type { JSX } from "preact"
import { useRef } from "preact/hooks"
import { VirtualList } from "../../scroll/virtual-list.js"
import type { ListedSession } from "../../stores/listed-session.js"
import { bytesText, plural, whenText } from "../format-values.js"
import { FilterBar } from "./filter-bar.js"
import { NoMatch } from "./no-match.js"
import { rowKey, rowOf } from "./stores-keys.js"
import type { StoresPage } from "./stores-page.js"

/** The list of sessions, the newest first. */
export function SessionsView({ page }: { readonly page: StoresPage }): JSX.Element {
  const { sessions, fault } = page.shown
  const list = useRef<VirtualList>(null)
  const focus = (row: number): void => list.current?.focusRow(row, document.activeElement)
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
      {sessions.length === 0 && page.list.size > 0 && page.isComplete && fault === undefined && (
        <NoMatch page={page} text="No session matches." filters={["q", "project", "store", "since"]} />
      )}
      <VirtualList
        ref={list}
        count={sessions.length}
        rows={sessions}
        estimate={() => 62}
        keyOf={(row) => sessions[row]?.key ?? row}
        renderRow={(row) => <SessionRow session={sessions[row]} hasStores={page.links.length > 1} />}
        attributes={{
          class: "feed sessions",
          role: "group",
          "aria-label": "Sessions",
          "aria-busy": !page.isComplete,
          tabIndex: 0,
          onKeyDown: (event) => rowKey(event, sessions.length, focus),
          onClick: (event) => opened(event, page),
          onAuxClick: (event) => opened(event, page),
        }}
      />
    </>
  )
}

function countOf({ shown: { sessions }, list, isComplete, faults }: StoresPage): string {
  if (list.size === 0 && faults.size > 0) return ""
  if (list.size === 0) return isComplete ? "There are no sessions yet." : "Reading the sessions …"
  const of = sessions.length < list.size ? ` of ${plural(list.size, "session")}` : ""
  const count = of === "" ? plural(sessions.length, "session") : `${sessions.length.toLocaleString("en")}${of}`
  return isComplete ? count : `${count}, still reading …`
}

function opened(event: MouseEvent, page: StoresPage): void {
  const at = rowOf(event)
  const { sessions } = page.shown
  const session = at === undefined ? undefined : sessions[at]
  if (at === undefined || !session) return
  const hrefs = sessions.map(({ href }) => href)
  page.opened(hrefs, at, session, event)
}

const STATUS: Partial<Record<ListedSession["status"], string>> = {
  error: "error",
  aborted: "aborted",
  interrupted: "interrupted",
  pending: "in progress",
}

interface SessionRowProps {
  readonly session: ListedSession | undefined
  readonly hasStores: boolean
}

function SessionRow({ session, hasStores }: SessionRowProps): JSX.Element | null {
  if (!session) return null
  const { href, title, folder, store, modified, messageCount, size, status, fault } = session
  const said = STATUS[status]
  const content = (
    <>
      <span class="session-title">
        <bdi>{title || "No messages"}</bdi>
        {fault !== undefined && <span class="badge bad">cannot be read: {fault}</span>}
        {said !== undefined && <span class={`badge ${status === "error" ? "bad" : "quiet"}`}>{said}</span>}
      </span>
      <span class="session-when">{modified > 0 ? whenText(modified) : ""}</span>
      <span class="session-folder">
        {hasStores && <span class="store-name">{store}</span>}
        <bdi>{folder}</bdi>
      </span>
      <span class="session-size">
        {messageCount === undefined ? "" : `${plural(messageCount, "message")}, `}
        {bytesText(size)}
      </span>
    </>
  )
  return href === undefined ? (
    <div class="session-row" tabIndex={-1}>
      {content}
    </div>
  ) : (
    <a class="session-row" href={href}>
      {content}
    </a>
  )
}

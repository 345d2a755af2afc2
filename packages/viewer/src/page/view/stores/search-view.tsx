import { titleLine } from "@treelog/session-core/adapter"
import { FILTER_NAMES, type SearchHit } from "@treelog/session-core/search"
import { folderLine } from "@treelog-internal/text"
import type { JSX } from "preact"
import { useMemo, useRef } from "preact/hooks"
import { VirtualList } from "../../scroll/virtual-list.js"
import type { AnsweredSession, FoundHits } from "../../source/sessions-client.js"
import { readableLine } from "../../text/readable-text.js"
import { SnippetPieces } from "../controls/snippet-text.js"
import { plural, whenText } from "../format-values.js"
import { FilterBar } from "./filter-bar.js"
import { NoMatch, Notes } from "./index-notes.js"
import { rowKey, rowOf } from "./stores-keys.js"
import type { StoresPage } from "./stores-page.js"

/** A row of the results: a session, or one of its hits. */
type Row = { readonly key: string; readonly store: string; readonly session: AnsweredSession } & {
  readonly hit?: SearchHit
}

/** What was said in sessions, grouped by session, the newest first. */
export function SearchView({ page }: { readonly page: StoresPage }): JSX.Element {
  const { hits } = page
  const rows = useMemo(() => rowsOf(hits.answer), [hits])
  const list = useRef<VirtualList>(null)
  const focus = (row: number): void => list.current?.focusRow(row, document.activeElement)
  return (
    <>
      <FilterBar
        page={page}
        label="Search everything said"
        placeholder={'Search everything said: words, "phrases", -excluded, prefix*, role:user, tool:bash, agent:codex'}
        toList={() => focus(0)}
        openFirst={clickFirstHit}
      />
      <p class="count faint" role="status">
        {countOf(page, rows)}
      </p>
      {rows.length === 0 && hits.answer && (
        <NoMatch
          page={page}
          text={hits.answer.updating ? "Nothing so far." : "Nothing was found."}
          filters={["store", "since", ...FILTER_NAMES]}
        />
      )}
      <VirtualList
        ref={list}
        count={rows.length}
        rows={rows}
        estimate={(row) => (rows[row]?.hit ? 58 : 52)}
        keyOf={(row) => rows[row]?.key ?? row}
        renderRow={(row) => <FoundRow page={page} row={rows[row]} />}
        attributes={{
          class: "feed found",
          role: "group",
          "aria-label": "Results",
          "aria-busy": hits.isAsking,
          tabIndex: 0,
          onKeyDown: (event) => rowKey(event, rows.length, focus),
          onClick: (event) => opened(event, page, rows),
        }}
      />
      <Notes page={page} asked={hits} />
    </>
  )
}

/** As a click does, so that the steps from one session to the next are those of the hits. @param field of the same page or part */
function clickFirstHit(field: HTMLElement): void {
  const root = field.getRootNode() as Document | ShadowRoot
  root.querySelector<HTMLElement>(".found-hit")?.click()
}

function rowsOf(found: FoundHits | undefined): Row[] {
  return (found?.sessions ?? []).flatMap(({ store = "", session, hits }) => {
    const { id } = session
    return [
      { key: id, store, session },
      ...hits.map((hit, at): Row => ({ key: `${id} ${hit.entryId} ${at}`, store, session, hit })),
    ]
  })
}

function countOf({ hits, address }: StoresPage, rows: readonly Row[]): string {
  if ((address.filters.q ?? "").trim() === "") return "Search in everything said in all sessions."
  const count = rows.filter(({ hit }) => hit).length
  if (count === 0) return hits.isAsking ? "Searching …" : plural(0, "hit")
  const sessions = plural(rows.length - count, "session")
  const isMore = hits.answer?.isMore === true
  return `${isMore ? "The newest " : ""}${plural(count, "hit")} in ${sessions}${isMore ? "; there are more" : ""}`
}

function opened(event: MouseEvent, page: StoresPage, rows: readonly Row[]): void {
  const at = rowOf(event)
  const chosen = at === undefined ? undefined : rows[at]
  if (!chosen) return
  const { store, session, hit } = chosen
  const groups = rows.filter((row) => !row.hit)
  const hrefs = groups.map((row) => page.link.hrefOf(row.store, row.session.id))
  const place = groups.findIndex((row) => row.store === store && row.session.id === session.id)
  page.opened(hrefs, place, { store, id: session.id, entryId: hit?.entryId }, event)
}

const ROLES: Readonly<Record<SearchHit["role"], string>> = {
  user: "User",
  assistant: "Assistant",
  thinking: "Thinking",
  toolCall: "Tool call",
  toolResult: "Tool result",
  summary: "Summary",
  label: "Label",
  name: "Name",
  other: "Other",
}

function FoundRow({ page, row }: { readonly page: StoresPage; readonly row: Row | undefined }): JSX.Element | null {
  if (!row) return null
  const { store, session, hit } = row
  const href = page.link.hrefOf(store, session.id, hit?.entryId)
  if (!hit) {
    const listed = page.list.get(session.id)
    const title = titleLine(session.name) || listed?.title || session.id
    return (
      <a class="found-session" href={href}>
        <bdi>{readableLine(title, 160)}</bdi>
        <span class="faint">
          {page.link.stores.length > 1 && (
            <span class="store-name badge quiet">{readableLine(session.agent ?? store, 40)}</span>
          )}
          {listed && listed.cost !== "" && <span>{listed.cost}</span>}
          <bdi>{readableLine(folderLine(session.cwd, page.link.home), 160)}</bdi>
        </span>
      </a>
    )
  }
  return (
    <a class="found-hit" href={href}>
      <span class="hit-who">
        {ROLES[hit.role]}
        {hit.tool !== undefined && <bdi>{readableLine(hit.tool, 60)}</bdi>}
        {hit.time > 0 && <span class="hit-branch">{whenText(hit.time)}</span>}
      </span>
      <bdi class="hit-text">
        <SnippetPieces snippet={hit.snippet} />
      </bdi>
    </a>
  )
}

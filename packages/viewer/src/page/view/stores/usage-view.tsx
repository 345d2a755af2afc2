import { titleLine } from "@treelog/session-core/adapter"
import { folderLine } from "@treelog-internal/text"
import type { JSX } from "preact"
import { useMemo } from "preact/hooks"
import type { SumRow } from "../../source/sessions-client.js"
import { cacheShare, csvAddress, sizesOf, sumOf } from "../../stores/usage-sums.js"
import { readableLine } from "../../text/readable-text.js"
import { Choice } from "../controls/choices.js"
import { Facts, ShareBar } from "../controls/facts.js"
import { costNotes, costText, dayText, numberText, plural, tokensText } from "../format-values.js"
import { ActivityCalendar } from "./activity-calendar.js"
import { DayChart } from "./day-chart.js"
import { FilterBar } from "./filter-bar.js"
import { Notes } from "./index-notes.js"
import { MOST_HITS, type StoresPage, type UsageAnswer } from "./stores-page.js"

/** What can be summed up, by the names in addresses. */
const SUMS: Readonly<Record<string, string>> = {
  day: "Day",
  week: "Week",
  month: "Month",
  project: "Project",
  model: "Model",
  agent: "Agent",
  session: "Session",
}

const MOST_ROWS = 200
/** The most expensive sessions beside the table. */
const DEAREST = 10

/** Tokens and cost: sums, by day, by what you choose, and the most expensive sessions. */
export function UsageView({ page }: { readonly page: StoresPage }): JSX.Element {
  const { usage } = page
  const { by = "day", stack = "model", model = "" } = page.address.filters
  const { answer } = usage
  const [days, year, sessions] = [answer?.days.rows ?? [], answer?.year.rows ?? [], answer?.sessions.rows ?? []]
  const models = (answer?.models.rows ?? []).map(({ key }): readonly [string, string] => [key, readableLine(key, 60)])
  const total = useMemo(() => sumOf(days), [answer])
  const isNothing = days.length === 0
  const isSumming = usage.isAsking || Boolean(answer?.updating)
  return (
    <>
      <FilterBar page={page}>
        <Choice
          label="Sums"
          value={by}
          options={Object.entries(SUMS).map(([one, name]) => [one, `By ${name.toLowerCase()}`] as const)}
          choose={(value) => page.setFilters({ by: value })}
        />
        <Choice
          label="Stacks"
          value={stack}
          options={[
            ["model", "Stacked by model"],
            ["project", "Stacked by project"],
          ]}
          choose={(value) => page.setFilters({ stack: value === "model" ? undefined : value })}
        />
        <Choice
          label="Model"
          value={model}
          options={[
            ["", "All models"],
            ...(model === "" || models.some(([one]) => one === model)
              ? []
              : [[model, readableLine(model, 60)] as const]),
            ...models,
          ]}
          choose={(value) => page.setFilters({ model: value || undefined })}
        />
      </FilterBar>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls has to be scrolled by keys too. */}
      <section class="usage" aria-label="Tokens and cost" aria-busy={usage.isAsking} tabIndex={0}>
        {isNothing && (isSumming || answer) && (
          <p class="side-empty" role="status">
            {isSumming ? "Summing up …" : "Nothing was counted: no session here has reported usage."}
          </p>
        )}
        {isNothing && year.length > 0 && <ActivityCalendar rows={year} />}
        {!isNothing && (
          <>
            <Facts
              class="tiles"
              facts={[
                ["Cost", costText(total.cost)],
                ["Tokens", tokensText(total.totals.totalTokens)],
                ["Calls", numberText(total.totals.calls)],
                ["Sessions", numberText(sessions.length)],
                ["From cache", percentText(cacheShare(total.totals))],
                ["Summaries", summariesText(answer)],
              ]}
            />
            {costNotes(total.cost).map((note) => (
              <p key={note} class="legend faint">
                {note}
              </p>
            ))}
            <DayChart
              rows={days}
              nameOf={(part) => (stack === "project" ? folderName(page, part) : readableLine(part, 60))}
            />
            <ActivityCalendar rows={year} />
            <div class="usage-parts">
              <SumTable page={page} by={by} rows={answer?.chosen.rows ?? []} />
              <DearestSessions page={page} rows={sessions} />
            </div>
          </>
        )}
      </section>
      <Notes page={page} asked={usage} />
    </>
  )
}

function folderName(page: StoresPage, cwd: string): string {
  return cwd === "" ? "No folder" : readableLine(folderLine(cwd, page.link.home), 60)
}

function percentText(share: number | undefined): string {
  return share === undefined ? "–" : `${Math.round(share * 100)} %`
}

/** Of compactions and of abandoned branches. */
function summariesText(answer: UsageAnswer | undefined): string {
  const { sessions = [], isMore = false } = answer?.summaries ?? {}
  return isMore ? `${numberText(MOST_HITS)}+` : numberText(sessions.reduce((count, { hits }) => count + hits.length, 0))
}

interface RowsProps {
  readonly page: StoresPage
  readonly rows: readonly SumRow[]
}

function SumTable({ page, by, rows }: RowsProps & { readonly by: string }): JSX.Element {
  const isTime = by === "day" || by === "week" || by === "month"
  const ordered = isTime ? [...rows].reverse() : rows
  const sizes = sizesOf(ordered)
  const most = Math.max(0, ...sizes)
  const total = sumOf(rows)
  return (
    <div class="sums">
      <table>
        <thead>
          <tr>
            <th scope="col">{SUMS[by] ?? ""}</th>
            {COLUMNS.map(([name, , more]) => (
              <th key={name} scope="col" {...more}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered.slice(0, MOST_ROWS).map((row, at) => (
            <tr key={`${row.store} ${row.key}`}>
              <th scope="row">
                <RowName page={page} by={by} row={row} />
                <ShareBar share={most > 0 ? (sizes[at] ?? 0) / most : 0} />
              </th>
              {cellsOf(row)}
            </tr>
          ))}
          <tr class="total">
            <th scope="row">Total</th>
            {cellsOf(total)}
          </tr>
        </tbody>
      </table>
      {ordered.length > MOST_ROWS && <p class="faint">and {numberText(ordered.length - MOST_ROWS)} more</p>}
      <p>
        <a href={csvAddress(ordered, by)} download={`usage-by-${by}.csv`}>
          Download as CSV
        </a>
      </p>
    </div>
  )
}

type Sums = Pick<SumRow, "totals" | "cost">

const WIDE = { class: "wide-only" }

const COLUMNS: readonly (readonly [name: string, text: (sums: Sums) => string, attributes?: typeof WIDE])[] = [
  ["Cost", ({ cost }) => costText(cost)],
  ["Tokens", ({ totals }) => tokensText(totals.totalTokens)],
  ["Input", ({ totals }) => tokensText(totals.input + totals.cacheRead + totals.cacheWrite), WIDE],
  ["Output", ({ totals }) => tokensText(totals.output), WIDE],
  ["Cached", ({ totals }) => percentText(cacheShare(totals))],
  ["Calls", ({ totals }) => numberText(totals.calls), WIDE],
]

/** The cells of a row behind its name. */
function cellsOf(sums: Sums): JSX.Element[] {
  return COLUMNS.map(([name, text, more]) => (
    <td key={name} {...more}>
      {text(sums)}
    </td>
  ))
}

interface RowProps {
  readonly page: StoresPage
  readonly row: SumRow
}

function RowName({ page, by, row }: RowProps & { readonly by: string }): JSX.Element {
  const { key, session } = row
  if (session) return <SessionLink page={page} row={row} />
  const text =
    (by === "day" && dayText(`${key}T12:00:00`)) ||
    readableLine(key, 80) ||
    (by === "project" ? "No folder" : by === "agent" ? "Not known" : "No time")
  const filter = { [by]: key }
  if (!["project", "model", "agent"].includes(by) || key === "") return <bdi title={text}>{text}</bdi>
  return page.bar.hasLinks ? (
    <a class="path" href={page.addressOf("usage", filter)} title={text}>
      <bdi>{text}</bdi>
    </a>
  ) : (
    <button type="button" class="text-button path" title={text} onClick={() => page.setFilters(filter)}>
      <bdi>{text}</bdi>
    </button>
  )
}

function SessionLink({ page, row: { key, session, store = "" } }: RowProps): JSX.Element {
  const title = titleLine(session?.name ?? "") || page.list.get(key)?.title || key
  const href = page.link.hrefOf(store, key)
  return (
    <a href={href} onClick={(event) => page.opened([href], 0, { store, id: key }, event)}>
      <bdi>{readableLine(title, 80)}</bdi>
    </a>
  )
}

function DearestSessions({ page, rows }: RowsProps): JSX.Element {
  return (
    <section class="dearest">
      <h2>Most expensive sessions</h2>
      <ol>
        {rows.slice(0, DEAREST).map((row) => (
          <li key={`${row.store} ${row.key}`}>
            <SessionLink page={page} row={row} />
            <span class="faint">
              {costText(row.cost)}, {tokensText(row.totals.totalTokens)} tokens, {plural(row.totals.calls, "call")}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

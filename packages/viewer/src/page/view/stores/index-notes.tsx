import type { JSX } from "preact"
import type { UsageSums } from "../../source/sessions-client.js"
import type { Asked } from "../../stores/ask-sessions.js"
import { storeFaultText } from "../../stores/follow-sessions.js"
import type { FilterName } from "../../stores/page-address.js"
import { numberText, plural } from "../format-values.js"
import { Failure } from "../lost.js"
import type { StoresPage } from "./stores-page.js"

export interface NotesProps {
  readonly page: StoresPage
  /** What the section shows of the indexes. */
  readonly asked?: Asked<Pick<UsageSums, "updating" | "faults">>
}

/** What is wrong, or not complete: it lies over the end of the section, so that nothing moves when it comes or goes. */
export function Notes({ page, asked }: NotesProps): JSX.Element {
  return (
    <div class="passing">
      {page.faults.map((fault) => (
        <Failure key={fault} text={fault} isBanner />
      ))}
      {asked && <IndexNotes page={page} asked={asked} />}
    </div>
  )
}

/** What limits the answers: an index that is missing, fails, or is not complete yet. */
function IndexNotes({ page, asked: { answer, fault, isWithoutIndex } }: Required<NotesProps>): JSX.Element {
  const { updating, faults = [] } = answer ?? {}
  const all = [...(fault === undefined ? [] : [fault]), ...faults.map(storeFaultText)]
  return (
    <>
      {isWithoutIndex && (
        <p class="note" role="status">
          There is no index: search and usage need SQLite, which is part of Node 22.13 and newer, or the package
          better-sqlite3. <code>treelog index</code> prints what to install.
        </p>
      )}
      {all
        // What is wrong with the list too is said once.
        .filter((text) => !page.faults.includes(text))
        .map((text) => (
          <p key={text} class="note bad" role="alert">
            {text}
          </p>
        ))}
      {updating && (
        <p class="note" role="status">
          The index is being brought up to date
          {updating.total > 0 && `: ${numberText(updating.done)} of ${plural(updating.total, "session")}`}. More may
          follow.
        </p>
      )}
    </>
  )
}

interface NoMatchProps {
  readonly page: StoresPage
  readonly text: string
  /** The filters that the button removes. */
  readonly filters: readonly FilterName[]
}

/** What a section shows when nothing matches, with a button that removes the filters, if there are any. */
export function NoMatch({ page, text, filters }: NoMatchProps): JSX.Element {
  const set = filters.filter((name) => page.address.filters[name] !== undefined)
  return (
    <div class="no-match">
      <p>{text}</p>
      {set.length > 0 && (
        <button
          type="button"
          class="button"
          onClick={() => page.setFilters(Object.fromEntries(set.map((name) => [name, undefined])))}
        >
          Remove the filters
        </button>
      )}
    </div>
  )
}

import type { JSX } from "preact"
import type { Answers } from "../../stores/ask-stores.js"
import { readableLine } from "../../text/readable-text.js"
import { numberText, plural } from "../format-values.js"
import type { StoresPage } from "./stores-page.js"

export interface IndexNotesProps {
  readonly page: StoresPage
  readonly answers: Answers<unknown>
}

/** What limits the answers: indexes that are missing, fail, or are not complete yet. */
export function IndexNotes({ page, answers }: IndexNotesProps): JSX.Element {
  const { withoutIndex, updating } = answers
  // What is wrong with the list too is shown above it.
  const { store } = page.address.filters
  const isWaitedFor = (name: string): boolean =>
    !answers.answers.has(name) && !answers.faults.has(name) && !withoutIndex.includes(name)
  const waiting = page.links.flatMap(({ name }) =>
    (store === undefined || store === name) && isWaitedFor(name) ? [name] : [],
  )
  const faults = [...answers.faults].filter(([store, fault]) => page.faults.get(store) !== fault)
  return (
    <>
      {withoutIndex.length > 0 && (
        <p class="note" role="status">
          No index for {withoutIndex.join(", ")}: search and usage need SQLite, which is part of Node 22.13 and newer,
          or the package better-sqlite3. <code>treelog index</code> prints what to install.
        </p>
      )}
      {faults.map(([store, fault]) => (
        <p key={store} class="note bad" role="alert">
          {store}: {readableLine(fault, 400)}
        </p>
      ))}
      <div class="passing">
        {answers.answers.size > 0 && waiting.length > 0 && (
          <p class="note" role="status">
            Without {waiting.join(", ")}: no answer has come yet.
          </p>
        )}
        {updating && (
          <p class="note" role="status">
            The index is being brought up to date
            {updating.total > 0 && `: ${numberText(updating.done)} of ${plural(updating.total, "session")}`}. More may
            follow.
          </p>
        )}
      </div>
    </>
  )
}

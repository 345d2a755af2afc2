import type { JSX } from "preact"
import type { Answers } from "../../stores/ask-stores.js"
import { readableLine } from "../../text/readable-text.js"
import { numberText, plural } from "../format-values.js"
import { Failure } from "../lost.js"
import type { StoresPage } from "./stores-page.js"

export interface NotesProps {
  readonly page: StoresPage
  /** What the section shows of the stores' indexes. */
  readonly answers?: Answers<unknown>
}

/** What is wrong, or not complete: it lies over the end of the section, so that nothing moves when it comes or goes. */
export function Notes({ page, answers }: NotesProps): JSX.Element {
  return (
    <div class="passing">
      {[...page.faults].map(([store, fault]) => (
        <Failure key={store} text={page.links.length > 1 ? `${store}: ${fault}` : fault} />
      ))}
      {answers && <IndexNotes page={page} answers={answers} />}
    </div>
  )
}

/** What limits the answers: indexes that are missing, fail, or are not complete yet. */
function IndexNotes({ page, answers }: Required<NotesProps>): JSX.Element {
  const { withoutIndex, updating } = answers
  const { store } = page.address.filters
  const isWaitedFor = (name: string): boolean =>
    !answers.answers.has(name) && !answers.faults.has(name) && !withoutIndex.includes(name)
  const waiting = page.links.flatMap(({ name }) =>
    (store === undefined || store === name) && isWaitedFor(name) ? [name] : [],
  )
  // What is wrong with the list too is said once.
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
    </>
  )
}

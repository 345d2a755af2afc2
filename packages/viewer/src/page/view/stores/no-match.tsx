import type { JSX } from "preact"
import type { FilterName } from "../../stores/page-address.js"
import type { StoresPage } from "./stores-page.js"

export interface NoMatchProps {
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

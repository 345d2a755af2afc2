import { FILTER_NAMES } from "@treelog/session-core/search"
import type { ComponentChildren, JSX } from "preact"
import { readableLine } from "../../text/readable-text.js"
import { Choice } from "../controls/choices.js"
import { IconButton } from "../controls/icon-button.js"
import { SearchInput } from "../controls/search-input.js"
import type { StoresPage } from "./stores-page.js"

const TIMES: readonly (readonly [since: string, label: string])[] = [
  ["", "Any time"],
  ["today", "Today"],
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["90d", "90 days"],
  ["1y", "A year"],
]

export interface FilterBarProps {
  readonly page: StoresPage
  /** The label of the text field; none without one. */
  readonly label?: string
  readonly placeholder?: string
  /** Called for arrow down in the text field, and for Enter without `openFirst`. */
  readonly toList?: () => void
  /** Called for Enter in the text field. */
  readonly openFirst?: (field: HTMLElement) => void
  readonly children?: ComponentChildren
}

/** What limits a section: a text, a time, an agent, a store; and the filters that were chosen elsewhere, to remove. */
export function FilterBar({ page, label, placeholder, toList, openFirst, children }: FilterBarProps): JSX.Element {
  const { q = "", since = "", agent = "", store = "", project, ...others } = page.address.filters
  const times = TIMES.some(([value]) => value === since) ? TIMES : [...TIMES, [since, readableLine(since, 40)] as const]
  return (
    <search class="filters">
      {label !== undefined && (
        <div class="search-field">
          <SearchInput
            id="find"
            label={label}
            placeholder={placeholder}
            value={q}
            onInput={(value) => page.type(value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && openFirst) openFirst(event.target as HTMLElement)
              else if (event.key === "ArrowDown" || event.key === "Enter") toList?.()
              else if (event.key === "Escape" && q !== "") page.type("")
              else if (event.key === "Escape") (event.target as HTMLElement).blur()
              else return
              event.preventDefault()
            }}
          />
        </div>
      )}
      <Choice
        label="Time"
        value={since}
        options={times}
        choose={(value) => page.setFilters({ since: value || undefined })}
      />
      {(agent !== "" || page.link.stores.length > 0) && (
        <Choice
          label="Agent"
          value={agent}
          options={[["", "All agents"], ...page.agents.map((one) => [one, readableLine(one, 40)] as const)]}
          choose={(value) => page.setFilters({ agent: value || undefined })}
        />
      )}
      {page.link.stores.length > 1 && (
        <Choice
          label="Store"
          value={store}
          options={[["", "All stores"], ...page.link.stores.map(({ name }) => [name, name] as const)]}
          choose={(value) => page.setFilters({ store: value || undefined })}
        />
      )}
      {children}
      {project !== undefined && <Chip text={project} remove={() => page.setFilters({ project: undefined })} />}
      {FILTER_NAMES.map((name) => {
        const value = name === "project" || name === "agent" ? undefined : others[name]
        return (
          value !== undefined && (
            <Chip key={name} text={`${name}: ${value}`} remove={() => page.setFilters({ [name]: undefined })} />
          )
        )
      })}
    </search>
  )
}

function Chip({ text, remove }: { readonly text: string; readonly remove: () => void }): JSX.Element {
  const shown = readableLine(text, 120)
  return (
    <span class="chip">
      <bdi>{shown}</bdi>
      <IconButton icon="close" label={`Remove the filter ${shown}`} class="small" onClick={remove} />
    </span>
  )
}

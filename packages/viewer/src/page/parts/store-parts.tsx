import type { FilterValues } from "@treelog/session-core/search"
import type { JSX } from "preact"
import { askRoutes } from "../source/ask-routes.js"
import { type AddressBar, readAddress, type Section, writeAddress } from "../stores/page-address.js"
import { useChanges } from "../view/state/use-changes.js"
import { SearchView } from "../view/stores/search-view.js"
import { SessionsView } from "../view/stores/sessions-view.js"
import { type OpenedSession, StoresPage } from "../view/stores/stores-page.js"
import { UsageView } from "../view/stores/usage-view.js"
import { mountPart } from "./mount-part.js"
import { type Part, type PartOptions, type RoutesOptions, routesBase } from "./part.js"

/** What limits a part of all sessions, as texts, so that they can be kept in an address: `agent`, `model`, `name` and the like as `FILTERS` has them. */
export interface PartFilters extends FilterValues {
  /** In the list, words of the title, the folder or the id; in the search, a query as `treelog search` takes it. */
  readonly q?: string | undefined
  /** A folder. */
  readonly project?: string | undefined
  /** A time, such as `7d`, `today` or `2026-11-23`. */
  readonly since?: string | undefined
  /** Of the usage: `day`, `week`, `month`, `project`, `agent`, `model` or `session`. */
  readonly by?: string | undefined
}

/** A session to open, or one of its entries. */
export interface SessionToOpen {
  readonly id: string
  readonly entryId?: string | undefined
}

/** What can be changed of a part of all sessions. */
export interface StorePartChanges extends PartOptions {
  /** Those that are not named are not set. */
  readonly filters?: PartFilters | undefined
}

/** Options of the parts of all sessions. */
export interface StorePartOptions extends StorePartChanges, RoutesOptions {
  /** The address of a session on your site, or of one of its entries. */
  hrefOf(session: SessionToOpen): string
  /** Called when the link to a session is clicked; `event.preventDefault()` keeps the page. */
  readonly onOpen?: ((session: SessionToOpen, event: MouseEvent) => void) | undefined
  /** Called when the reader has changed the filters, for an address of your own. */
  readonly onFilters?: ((filters: PartFilters) => void) | undefined
}

/** Shows the list of all sessions, the newest first, with a filter; new ones appear by themselves. It fills the height of its place, and scrolls. */
export function mountSessionList(place: Element, options: StorePartOptions): Part<StorePartChanges> {
  return mountStorePart(place, options, "sessions")
}

/** Shows a search in everything said in all sessions, whose hits lead to their entries. It fills the height of its place, and scrolls. */
export function mountSearch(place: Element, options: StorePartOptions): Part<StorePartChanges> {
  return mountStorePart(place, options, "search")
}

/** Shows tokens and cost of all sessions: sums, plots by day, and the most expensive sessions. It fills the height of its place, and scrolls. */
export function mountUsage(place: Element, options: StorePartOptions): Part<StorePartChanges> {
  return mountStorePart(place, options, "usage")
}

function mountStorePart(place: Element, options: StorePartOptions, section: Section): Part<StorePartChanges> {
  const { routes, fetch, hrefOf, onOpen, filters = {} } = options
  // The page has an address of its own.
  let fragment = writeAddress({ section, filters })
  let changed: (() => void) | undefined
  const push = (now: string): void => {
    fragment = now
    options.onFilters?.(readAddress(now).filters)
  }
  const bar: AddressBar = {
    hasLinks: false,
    read: () => fragment,
    push,
    replace: push,
    listen: (listener) => {
      changed = listener
      return () => {
        changed = undefined
      }
    },
  }
  const link = {
    stores: [],
    ask: askRoutes(routesBase(routes), fetch),
    hrefOf: (_: string, id: string, entryId?: string) => hrefOf({ id, entryId }),
  }
  const opened = (_: unknown, __: number, { id, entryId }: OpenedSession, event: MouseEvent): void =>
    onOpen?.({ id, entryId }, event)
  const page = new StoresPage(link, bar, opened)
  const mounted = mountPart(place, section, options, <StoreFrame page={page} section={section} />)
  page.start()
  return {
    update(changes) {
      mounted.update(changes)
      if (!changes.filters) return
      fragment = writeAddress({ section, filters: changes.filters })
      changed?.()
    },
    close() {
      page.close()
      mounted.close()
    },
  }
}

const VIEWS = { sessions: SessionsView, search: SearchView, usage: UsageView } as const

function StoreFrame({ page, section }: { readonly page: StoresPage; readonly section: Section }): JSX.Element {
  useChanges(page)
  const View = VIEWS[section]
  return (
    <div class="main">
      <View page={page} />
    </div>
  )
}

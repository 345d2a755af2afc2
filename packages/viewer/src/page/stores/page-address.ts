// The address says what the page shows, so that a view can be kept as a bookmark: `#usage?by=model&since=30d`.

import { FILTER_NAMES } from "@treelog/session-core/search"

const SECTIONS = ["sessions", "search", "usage"] as const

export type Section = (typeof SECTIONS)[number]

/** The parameters of all sections. */
const NAMES = ["q", "store", "since", "by", "stack", ...FILTER_NAMES] as const

export type FilterName = (typeof NAMES)[number]

/** What is shown. */
export interface PageAddress {
  readonly section: Section
  readonly filters: Readonly<Partial<Record<FilterName, string | undefined>>>
}

/** Reads the fragment of an address. What it does not know is left out. */
export function readAddress(hash: string): PageAddress {
  const [name, query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s)
  const given = new URLSearchParams(query)
  const filters: Partial<Record<FilterName, string>> = {}
  for (const key of NAMES) {
    const value = given.get(key)
    if (value !== null && value !== "") filters[key] = value
  }
  return { section: SECTIONS.find((section) => section === name) ?? "sessions", filters }
}

/** The fragment of an address, with `#`. */
export function writeAddress({ section, filters }: PageAddress): string {
  const given = NAMES.flatMap((name): [string, string][] => {
    const value = filters[name]
    return value === undefined || value === "" ? [] : [[name, value]]
  })
  const query = new URLSearchParams(given).toString()
  return `#${section}${query === "" ? "" : `?${query}`}`
}

/** Where the page of all sessions keeps what it shows, as a fragment such as `#usage?by=model`. */
export interface AddressBar {
  /** Whether links with fragments lead there. */
  readonly hasLinks: boolean
  read(): string
  /** Goes to a fragment, as a new entry of the history. */
  push(fragment: string): void
  replace(fragment: string): void
  /** Calls back when the fragment has changed by other means, such as the Back button. @returns a function that removes the listener */
  listen(changed: () => void): () => void
}

/** The address of the page in the browser. */
export const pageAddressBar: AddressBar = {
  hasLinks: true,
  read: () => location.hash,
  push: (fragment) => history.pushState(null, "", fragment),
  replace: (fragment) => history.replaceState(null, "", fragment),
  listen(changed) {
    window.addEventListener("hashchange", changed)
    return () => window.removeEventListener("hashchange", changed)
  },
}

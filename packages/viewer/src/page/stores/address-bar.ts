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

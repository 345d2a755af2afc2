// The list of sessions on a page of its own, with its filters in the address. In Next it is the effect of a client component:
// useEffect(() => showSessions(ref.current), []).

import { mountSessionList, type PartFilters } from "@treelog/viewer/parts"

/** @returns a function that removes the list */
export function showSessions(place: Element): () => void {
  const list = mountSessionList(place, {
    routes: "/api",
    filters: filtersInAddress(),
    hrefOf: ({ id }) => `/sessions/${encodeURIComponent(id)}`,
    onFilters: (filters) => {
      const given = Object.entries(filters).filter((pair): pair is [string, string] => pair[1] !== undefined)
      history.replaceState(null, "", `?${new URLSearchParams(given)}`)
    },
  })
  const follow = (): void => list.update({ filters: filtersInAddress() })
  window.addEventListener("popstate", follow)
  return () => {
    window.removeEventListener("popstate", follow)
    list.close()
  }
}

function filtersInAddress(): PartFilters {
  return Object.fromEntries(new URLSearchParams(location.search))
}

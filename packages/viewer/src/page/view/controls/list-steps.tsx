import type { JSX } from "preact"
import { useMemo } from "preact/hooks"
import { withStorage } from "../state/browser-storage.js"
import { IconLink } from "./icon-button.js"

const KEY = "treelog-list"

/** Sessions before and after the one that was opened. */
const NEIGHBOURS = 500

/** The list from which a session was opened. */
interface KeptList {
  /** The fragment of the address of the list. */
  readonly hash: string
  /** The addresses of its sessions, relative to the page of all sessions. */
  readonly hrefs: readonly string[]
  readonly opened: string | undefined
}

/** Keeps the order of a list, for the links to the next and the previous session, and for the way back. @param at the session that is opened */
export function keepList(hrefs: readonly (string | undefined)[], at: number): void {
  const near = hrefs.slice(Math.max(0, at - NEIGHBOURS), at + NEIGHBOURS).filter((href) => href !== undefined)
  const kept: KeptList = { hash: location.hash, hrefs: near, opened: hrefs[at] }
  withStorage("sessionStorage", (storage) => storage.setItem(KEY, JSON.stringify(kept)))
}

function keptList(): KeptList | undefined {
  const text = withStorage("sessionStorage", (storage) => storage.getItem(KEY))
  return text ? JSON.parse(text) : undefined
}

/** The address of the session that was opened from the list of this address before. */
export function openedBefore(): string | undefined {
  const list = keptList()
  return list?.hash === location.hash ? list.opened : undefined
}

/** Links to the page of all sessions, and to the sessions beside this one in the list that it came from; nothing where there is no such page. */
export function ListSteps(): JSX.Element | null {
  const home = document.querySelector<HTMLMetaElement>("meta[name=treelog-session]")?.dataset.home
  const list = useMemo(keptList, [])
  if (home === undefined) return null
  const hrefs = list?.hrefs ?? []
  const at = hrefs.findIndex((href) => new URL(home + href, location.href).pathname === location.pathname)
  return (
    <nav class="list-steps" aria-label="Sessions">
      <IconLink icon="list" label="All sessions" href={at === -1 ? home : home + (list?.hash ?? "")} />
      {at > 0 && <IconLink icon="up" label="Previous session in the list" href={home + hrefs[at - 1]} />}
      {at !== -1 && at < hrefs.length - 1 && (
        <IconLink icon="down" label="Next session in the list" href={home + hrefs[at + 1]} />
      )}
    </nav>
  )
}

import { useEffect, useState } from "preact/hooks"
import { openedBefore } from "../list-steps.js"

let hasReturned = false

/**
 * Focuses the session that was opened from a list, when the browser has gone back to that: once, as soon as it is listed.
 * @param hrefs of the rows
 */
export function useReturn(hrefs: readonly (string | undefined)[], focus: (row: number) => void): void {
  const [opened] = useState(openedBefore)
  useEffect(() => {
    const row = hasReturned || opened === undefined ? -1 : hrefs.indexOf(opened)
    if (row === -1) return
    hasReturned = true
    focus(row)
  })
}

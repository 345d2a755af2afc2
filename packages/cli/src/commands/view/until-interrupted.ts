import type { ServedPage } from "@treelog/viewer"
import type { CommandContext } from "../../io/command-context.js"
import { openInBrowser } from "../../io/open-in-browser.js"

/** What is served, for those who read what the command prints. */
export interface Shown {
  /** For people. */
  readonly what: string
  /** The document of `--json`, without the URL. */
  readonly document: object
  /** Whether to open a browser. */
  readonly open: boolean
}

/** Prints the URL, opens a browser in a terminal, and serves the page until Ctrl-C. */
export async function untilInterrupted(
  context: CommandContext,
  { url, close }: ServedPage,
  { what, document, open }: Shown,
): Promise<void> {
  const { interrupted, terminal } = context.io
  try {
    if (context.options.json) await context.printJson({ ...document, url })
    else await context.print([url])
    await context.log(`Serving ${what} on this machine only; Ctrl-C stops.`)
    if (open && terminal() && !interrupted.aborted && !(await openInBrowser(url)))
      await context.log("No browser could be started; open the address yourself.")
    if (!interrupted.aborted)
      await new Promise<void>((resolve) => interrupted.addEventListener("abort", () => resolve(), { once: true }))
  } finally {
    await close()
  }
}

import type { CopiedSession } from "@treelog/session-core/maintenance"
import { cleanLine, numberText, plural, type Style, sizeText } from "@treelog-internal/text"
import type { ExitCode } from "../errors/exit-codes.js"
import { type CommandContext, Progress } from "../io/command-context.js"
import { Outcomes } from "../sessions/outcomes.js"
import { caught, failureOf } from "../store/stored-keys.js"

// How `import` reports the sessions that they store.

/** How many names of what was left out are printed; JSON has all. */
const NAMED = 5

/** `from → to created 12 kB`. */
function copyLine({ key, to, status, written, rewritten, formerId }: CopiedSession, { paint, glyphs }: Style): string {
  const size = status === "unchanged" ? "" : ` ${sizeText(written)}`
  const other = rewritten > 0 ? `, ${plural(rewritten, "entry", "entries")} stored with another content, too` : ""
  const id = formerId === undefined ? "" : `, under a new id: ${cleanLine(formerId)} is another session there`
  return `${cleanLine(key)} ${glyphs.call} ${cleanLine(to)} ${paint("green", status)}${size}${other}${id}`
}

/** What was not stored with a session, for people; undefined where all was. */
export function leftSentence({ key, artifacts }: Pick<CopiedSession, "key" | "artifacts">): string | undefined {
  const left = artifacts?.left ?? []
  return left.length === 0 ? undefined : `${cleanLine(key)}: not copied: ${namesText(left)}`
}

/** The first names, and how many more there are. */
export function namesText(names: readonly string[]): string {
  const more = names.length > NAMED ? `, and ${numberText(names.length - NAMED)} more` : ""
  return names.slice(0, NAMED).map(cleanLine).join(", ") + more
}

/** The fields of its JSON, but for what the command calls its source. */
function copyJson({ key: _, formerId, artifacts, artifactsError: __, ...rest }: CopiedSession): object {
  const { added = 0, left = [] } = artifacts ?? {}
  const { copiedBlobs: ___, ...report } = rest
  return { ...report, formerId: formerId ?? null, artifactsAdded: added, artifactsLeft: left }
}

/** Why a stored session lacks files that belong to it, as the failure that it is; undefined where it lacks none. */
export function artifactsFailure({ key, artifactsError }: Pick<CopiedSession, "key" | "artifactsError">) {
  if (!artifactsError) return undefined
  const { path, error } = failureOf(key, artifactsError)
  return { path, error: { ...error, message: `The session is stored, but not all of its files: ${error.message}` } }
}

/** Prints and counts what became of a session, or why it could not be stored. */
export async function printCopied(
  context: CommandContext,
  tally: CopyTally,
  { key, ...report }: CopiedSession | { readonly key: string; readonly error: unknown },
  dryRun: boolean,
): Promise<void> {
  if ("error" in report) return tally.outcomes.fail(await caught(context, key, report.error))
  const copied = { key, ...report }
  tally.add(copied)
  if (context.options.json) await context.printJson({ path: key, ...copyJson(copied), dryRun })
  else {
    if (copied.status !== "unchanged") await context.print([copyLine(copied, context.style)])
    const left = leftSentence(copied)
    if (left !== undefined) await context.log(left)
  }
  const failure = artifactsFailure(copied)
  if (failure) await tally.outcomes.fail(failure)
}

/** Counts what became of sessions. */
export class CopyTally {
  readonly outcomes: Outcomes
  readonly #counts = { created: 0, appended: 0, branched: 0, unchanged: 0 }
  readonly #missing = new Set<string>()
  /** That sessions had lost. */
  readonly #blobs = new Set<string>()
  /** Stored sessions that lack files. */
  #incomplete = 0

  constructor(context: CommandContext) {
    this.outcomes = new Outcomes(context)
  }

  get sessions(): number {
    const { created, appended, branched, unchanged } = this.#counts
    return created + appended + branched + unchanged + this.outcomes.count - this.#incomplete
  }

  add({ status, missingBlobs, copiedBlobs, artifactsError }: CopiedSession): void {
    this.#counts[status] += 1
    if (artifactsError) this.#incomplete += 1
    if (status === "unchanged") for (const hash of copiedBlobs) this.#blobs.add(hash)
    for (const hash of missingBlobs) this.#missing.add(hash)
  }

  /** @param advice what to do about missing blobs */
  sentence(dryRun: boolean, advice: string): string {
    const { created, appended, branched, unchanged } = this.#counts
    const parts = [
      `${plural(this.sessions, "session")}: ${numberText(created)} ${dryRun ? "to create" : "created"}`,
      `${numberText(appended)} ${dryRun ? "to append to" : "appended to"}`,
      branched > 0 ? `${numberText(branched)} ${dryRun ? "to branch" : "branched"}` : "",
      `${numberText(unchanged)} unchanged`,
      this.outcomes.failureText,
    ].filter(Boolean)
    const notes = [
      this.#blobs.size > 0 ? `${plural(this.#blobs.size, "blob")} stored.` : "",
      this.#missing.size > 0 ? `${plural(this.#missing.size, "blob")} missing in the source. ${advice}` : "",
      dryRun ? "This was a dry run." : "",
    ].filter(Boolean)
    return [`${parts.join(", ")}.`, ...notes].join(" ")
  }

  exitCode(): ExitCode {
    return this.outcomes.exitCode()
  }
}

/** Yields what was done, and shows the progress. What ends the loop ends the work, too, which cleans up. */
export async function* withProgress<Report>(
  context: CommandContext,
  reports: AsyncGenerator<Report>,
  text: () => string,
): AsyncGenerator<Report> {
  const progress = new Progress(context)
  try {
    for (;;) {
      const { value, done } = await progress.during(context.hold(reports.next()), text)
      if (done) return
      yield value
    }
  } finally {
    await context.hold(reports.return(undefined))
  }
}

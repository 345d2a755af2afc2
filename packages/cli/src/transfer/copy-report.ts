import type { CopiedSession } from "@treelog/session-core/maintenance"
import { artifactsFolder } from "@treelog/storage-fs"
import { isFolder } from "@treelog-internal/fs"
import { cleanLine, numberText, plural, type Style, sizeText } from "@treelog-internal/text"
import type { ExitCode } from "../errors/exit-codes.js"
import { Outcomes } from "../housekeeping/outcomes.js"
import type { CommandContext } from "../io/command-context.js"

// How `copy` and `unbundle` report the sessions that they store.

/** `from → to created 12 kB`. */
export function copyLine(
  { key, to, status, written, siblingOf, differsAt = 0 }: CopiedSession,
  { paint, glyphs }: Style,
): string {
  const keys = `${cleanLine(key)} ${glyphs.call} ${cleanLine(to)}`
  const sibling =
    siblingOf === undefined ? "" : `, a sibling of ${cleanLine(siblingOf)}, which differs at byte ${differsAt}`
  const size = status === "created" || status === "appended" ? ` ${sizeText(written)}` : ""
  return `${keys} ${paint("green", status)}${size}${sibling}`
}

/** Whether there is something to say about it to people: it was stored, or would be. */
export function isStored({ status }: CopiedSession): boolean {
  return status === "created" || status === "appended"
}

/**
 * Whether the session has artifacts that were not copied.
 * @param copies whether both stores have artifacts
 */
export async function leavesArtifacts({ key, artifacts }: CopiedSession, copies: boolean): Promise<boolean> {
  if (copies) return (artifacts?.differing ?? 0) > 0
  const own = artifactsFolder(key)
  return own !== undefined && isFolder(own)
}

/** The fields of its JSON, but for what the command calls its source. */
export function copyJson({ key: _, siblingOf, differsAt, artifacts, ...rest }: CopiedSession): object {
  const added = artifacts?.added ?? 0
  return { ...rest, siblingOf: siblingOf ?? null, differsAt: differsAt ?? null, artifactsAdded: added }
}

/** Counts what became of sessions. */
export class CopyTally {
  readonly outcomes: Outcomes
  readonly #counts = { created: 0, appended: 0, unchanged: 0, ahead: 0, conflict: 0 }
  readonly #missing = new Set<string>()
  #siblings = 0
  #artifactsLeft = 0

  constructor(context: CommandContext) {
    this.outcomes = new Outcomes(context)
  }

  get sessions(): number {
    const { created, appended, unchanged, ahead } = this.#counts
    return created + appended + unchanged + ahead + this.outcomes.locked + this.outcomes.failed
  }

  add({ status, missingBlobs, siblingOf }: CopiedSession, artifactsLeft: boolean): void {
    this.#counts[status] += 1
    for (const hash of missingBlobs) this.#missing.add(hash)
    if (siblingOf !== undefined && status === "created") this.#siblings += 1
    if (artifactsLeft) this.#artifactsLeft += 1
  }

  /** @param advice what to do about missing blobs */
  sentence(dryRun: boolean, advice: string): string {
    const { created, appended, unchanged, ahead } = this.#counts
    const siblings = this.#siblings > 0 ? ` (${plural(this.#siblings, "sibling")} of sessions that differ)` : ""
    const parts = [
      `${plural(this.sessions, "session")}: ${numberText(created)} ${dryRun ? "to create" : "created"}${siblings}`,
      `${numberText(appended)} ${dryRun ? "to append to" : "appended to"}`,
      `${numberText(unchanged)} unchanged`,
      ahead > 0 ? `${numberText(ahead)} of which the target has more` : "",
      this.outcomes.failureText,
    ].filter(Boolean)
    const notes = [
      this.#missing.size > 0 ? `${plural(this.#missing.size, "blob")} missing in the source. ${advice}` : "",
      this.#artifactsLeft > 0 ? `The artifacts of ${plural(this.#artifactsLeft, "session")} were not copied.` : "",
      dryRun ? "This was a dry run." : "",
    ].filter(Boolean)
    return [`${parts.join(", ")}.`, ...notes].join(" ")
  }

  exitCode(): ExitCode {
    return this.outcomes.exitCode()
  }
}

import { type BlobCheck, verifyBlobs } from "@treelog/blob-store"
import { plural, tallyText } from "@treelog-internal/text"
import { requireFolder, requirePlace, storedBlobs } from "../blobs/session-blobs.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import { type BlobFault, blobFaultLine } from "../render/blob-lines.js"
import { commandSessions } from "../sessions/command-sessions.js"

/** Reads every blob, and prints those that are not what was stored. */
export async function verifyStoredBlobs(context: CommandContext): Promise<ExitCode> {
  const { io, options, style } = context
  const sessions = await commandSessions(context)
  const place = requirePlace(storedBlobs(sessions), sessions)
  const folder = requireFolder(place, "`treelog verify --all` verifies the blobs of a bucket that sessions refer to")
  const progress = new Progress(context)
  const tally = new Tally()
  for await (const check of verifyBlobs(folder, { signal: io.interrupted })) {
    tally.add(check)
    if (check.state === "damaged" || check.state === "unreadable") {
      await progress.clear()
      if (options.json) await context.printJson(jsonFault(folder, check))
      else await context.print([blobFaultLine(folder, check, style)])
    }
    await progress.show(`Scanned ${tallyText(tally.seen)}`)
  }
  await progress.clear()
  await context.log(tally.sentence(folder))
  return tally.exitCode()
}

function jsonFault(folder: string, fault: BlobFault): object {
  if (fault.state === "damaged") return { folder, ...fault }
  const { code, message } = fault.error
  return { folder, ...fault, error: { code, message } }
}

class Tally {
  seen = { count: 0, bytes: 0 }
  #damaged = 0
  #unreadable = 0
  #quarantine = 0

  add(check: BlobCheck): void {
    if (check.state === "foreign") this.#quarantine += check.what === "quarantined" ? 1 : 0
    else this.seen = { count: this.seen.count + 1, bytes: this.seen.bytes + ("size" in check ? check.size : 0) }
    if (check.state === "damaged") this.#damaged += 1
    if (check.state === "unreadable") this.#unreadable += 1
  }

  sentence(folder: string): string {
    if (this.exitCode() === EXIT.nothing) return `0 blobs examined: looked in ${folder}.`
    const isSound = this.#damaged + this.#unreadable === 0
    const found = [
      this.#damaged > 0 ? `${this.#damaged} damaged` : "",
      this.#unreadable > 0 ? `${this.#unreadable} that could not be read` : "",
      isSound ? "no damage" : "",
      this.#quarantine > 0 ? `${plural(this.#quarantine, "file")} quarantined before as damaged` : "",
    ].filter(Boolean)
    return `${tallyText(this.seen)} in ${folder}: ${found.join(", ")}.`
  }

  exitCode(): ExitCode {
    if (this.seen.count + this.#quarantine === 0) return EXIT.nothing
    if (this.#damaged > 0) return EXIT.damaged
    return this.#unreadable > 0 ? EXIT.failed : EXIT.ok
  }
}

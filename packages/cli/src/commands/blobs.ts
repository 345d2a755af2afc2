import { join } from "node:path"
import { type BlobCheck, verifyBlobs } from "@treelog/blob-store"
import type { StoredBlob } from "@treelog/session-core"
import { agoOf, cleanLine, plural, type Style, sizeText, tallyText } from "@treelog-internal/text"
import { requireFolder, requirePlace, storedBlobs } from "../blobs/session-blobs.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import { padded } from "../render/width.js"
import type { Sessions } from "../sessions/command-sessions.js"

/** Prints every blob as it is found. */
export async function listBlobs(context: CommandContext, sessions: Sessions): Promise<ExitCode> {
  const { io, options, style } = context
  const place = requirePlace(storedBlobs(sessions), sessions)
  const store = await place.read()
  const total = { count: 0, bytes: 0 }
  const lines = async function* (): AsyncGenerator<string> {
    for await (const blob of store.list()) {
      io.interrupted.throwIfAborted()
      if (total.count === 0) yield blobTitles(style)
      total.count += 1
      total.bytes += blob.size
      yield blobLine(blob, { style, now: io.now() })
    }
  }
  if (options.json) for await (const blob of store.list()) await context.printJson(blob)
  else await context.print(lines())
  await context.log(
    total.count === 0 ? `There are no blobs in ${place.name}.` : `${tallyText(total)} in ${place.name}.`,
  )
  return EXIT.ok
}

const HASH = 64
const SIZE = 7

/** One blob in 80 columns: its whole hash is what it is called by. */
function blobLine({ hash, size, modified }: StoredBlob, { style, now }: { style: Style; now: number }): string {
  return `${style.paint("cyan", hash)}  ${padded(sizeText(size), SIZE, "right")}  ${agoOf(now - modified).padStart(4)}`
}

function blobTitles({ paint }: Style): string {
  return paint("dim", `${padded("HASH", HASH)}  ${padded("SIZE", SIZE, "right")}   AGE`)
}

type BlobFault = Extract<BlobCheck, { state: "damaged" | "unreadable" }>

/** `path damaged why`. */
function blobFaultLine(folder: string, fault: BlobFault, { paint }: Style): string {
  const why =
    fault.state === "damaged" ? `Its ${sizeText(fault.size)} have the hash ${fault.actual}.` : fault.error.message
  return `${cleanLine(join(folder, fault.hash))} ${paint("red", fault.state)} ${cleanLine(why)}`
}

/** Reads every blob, and prints those that are not what was stored. */
export async function verifyStoredBlobs(context: CommandContext, sessions: Sessions): Promise<ExitCode> {
  const { io, style } = context
  const place = requirePlace(storedBlobs(sessions), sessions)
  const folder = requireFolder(place, "`treelog verify --all` verifies the blobs of a bucket that sessions refer to")
  const progress = new Progress(context)
  const tally = new Tally()
  for await (const check of verifyBlobs(folder, { signal: io.interrupted })) {
    tally.add(check)
    if (check.state === "damaged" || check.state === "unreadable") {
      await progress.clear()
      await context.report(jsonFault(folder, check), [blobFaultLine(folder, check, style)])
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

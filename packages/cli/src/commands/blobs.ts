import { join } from "node:path"
import { type BlobCheck, verifyBlobs } from "@treelog/blob-store"
import type { StoredBlob } from "@treelog/session-core"
import { agoOf, cleanLine, plural, type Style, sizeText, tallyText } from "@treelog-internal/text"
import { type CommandDefinition, DRY_RUN, durationOption, SESSION } from "../define/command.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { type CommandContext, Progress } from "../io/command-context.js"
import type { Look } from "../render/table.js"
import { padded } from "../render/width.js"
import { onEveryStore } from "../sessions/open-library.js"
import { requireFolder, requirePlace, type Sessions, storedBlobs } from "../store/command-sessions.js"
import { collectBlobs } from "./blobs/gc.js"
import { inflate, slim } from "./blobs/slim.js"

export const command: CommandDefinition = {
  job: "in scripts",
  summary: "list, check and clean up stored images and long texts",
  description: "Manage blobs: images and very long texts stored outside of sessions, each once.",
  examples: [
    ["treelog blobs ls", "list the blobs of the store"],
    ["treelog blobs verify", "check for damage"],
    ["treelog blobs gc", "show unreferenced blobs"],
    ["treelog blobs gc --apply", "remove them"],
  ],
  commands: {
    slim: {
      summary: "move images and long texts out of a session",
      description: "Move the images and very long texts of a session to blobs, once these read as they were.",
      examples: [
        ["treelog blobs slim 01a1ffe2 --dry-run", "show what it would save"],
        ["treelog blobs slim 01a1ffe2", "move images and long texts out"],
      ],
      arguments: [["<session>", SESSION]],
      options: [["-n, --dry-run", DRY_RUN]],
      run: slim,
    },
    inflate: {
      summary: "move images and long texts back into a session",
      description: "Move images and long texts from blobs back into a session, for programs that do not read blobs.",
      examples: [
        ["treelog blobs inflate 01a1ffe2", "restore what slim moved"],
        ["treelog blobs inflate copy.jsonl --blobs ~/blobs", "from another folder"],
      ],
      arguments: [["<session>", SESSION]],
      options: [["-n, --dry-run", DRY_RUN]],
      run: inflate,
    },
    ls: {
      summary: "list blobs",
      description: "List the blobs of a store.",
      examples: [
        ["treelog blobs ls", "hash, size and age"],
        ["treelog blobs ls --store omp", "the blobs of oh-my-pi"],
        ["treelog blobs ls --json | jq -r .hash | sort", "only the hashes"],
      ],
      run: onEveryStore(listBlobs),
    },
    verify: {
      summary: "check blobs for damage",
      description: "Read every blob, and list those whose bytes do not match their hash.",
      examples: [
        ["treelog blobs verify", "read every blob"],
        ["treelog blobs verify --blobs ~/copy/blobs --json", "any folder, as JSON"],
      ],
      run: onEveryStore(verifyStoredBlobs),
    },
    gc: {
      summary: "remove unreferenced blobs",
      description: "List the blobs that no session references; with --apply, remove them.",
      examples: [
        ["treelog blobs gc", "show unreferenced blobs"],
        ["treelog blobs gc --apply", "move them to the trash"],
        ["treelog blobs gc --undo", "restore them"],
        ["treelog blobs gc --root ~/archive", "keep what these sessions reference, too"],
      ],
      options: [
        ["--apply", "move them to the trash of the blobs, until the next --apply"],
        [
          "--grace <duration>",
          "keep blobs newer than this: 90s, 30m, 12h, 2w (default: 1d)",
          { parse: durationOption },
        ],
        ["--root <path...>", "also keep what these reference: folders, or session files"],
        ["--allow-unparsable", "continue when a line of a session cannot be read"],
        ["--undo", "restore what the last --apply removed"],
      ],
      run: onEveryStore(collectBlobs),
    },
  },
}

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
      yield blobLine(blob, context.look)
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
function blobLine({ hash, size, modified }: StoredBlob, { style, now }: Look): string {
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

export async function verifyStoredBlobs(context: CommandContext, sessions: Sessions): Promise<ExitCode> {
  const { io, style } = context
  const place = requirePlace(storedBlobs(sessions), sessions)
  const folder = requireFolder(place, "`treelog verify --all` verifies the blobs of a bucket that sessions refer to")
  const progress = new Progress(context)
  const tally = new Tally()
  for await (const check of verifyBlobs(folder, { signal: io.interrupted })) {
    tally.add(check)
    if (check.state === "damaged" || check.state === "unreadable") {
      await context.report(jsonFault(folder, check), [blobFaultLine(folder, check, style)])
    }
    await progress.show(`Scanned ${tallyText(tally.seen)}`)
  }
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

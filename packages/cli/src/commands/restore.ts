import { join } from "node:path"
import { blobsNamedIn, copyBlobs } from "@treelog/blob-store"
import { type SessionSource, TreelogError } from "@treelog/session-core"
import { artifactsFolder } from "@treelog/storage-fs"
import { type GivenBack, isKeptStore, type KeptPlace, keptPlace, restoreKept } from "@treelog/stores"
import { cleanLine, numberText, plural } from "@treelog-internal/text"
import type { CommandDefinition } from "../define/command.js"
import type { ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { findKey } from "../sessions/find-session.js"
import { type CommandSource, openMachine } from "../sessions/open-library.js"
import { Outcomes } from "../sessions/outcomes.js"
import { folderPlace } from "../store/blob-place.js"
import { blobsOf } from "../store/command-sessions.js"

export const command: CommandDefinition = {
  job: "in scripts",
  summary: "put a kept session back where its agent had it",
  description:
    "Put a session that `keep` has a copy of back where its agent had it, byte for byte, with all files that belong to it. No other file is ever overwritten.",
  examples: [
    ["treelog restore 01a1ffe2", "a session that its agent deleted"],
    ["treelog list --all --store codex:kept", "what only a copy has of Codex"],
  ],
  arguments: [["<session...>", "ids, starts or ends of ids, names, or paths of kept sessions"]],
  notes: "`treelog trash restore` restores what `treelog delete` removed.",
  run: restore,
}

/** Puts kept sessions back, and prints where they are. One that fails stops no other. */
export async function restore(context: CommandContext, refs: readonly string[]): Promise<ExitCode> {
  context.finishUnread()
  const { sources } = await openMachine(context)
  const kept = sources.filter(({ name }) => isKeptStore(name))
  const outcomes = new Outcomes(context)
  for (const ref of refs) {
    context.io.interrupted.throwIfAborted()
    const outcome = await outcomes.of(ref, async () => {
      const key = await findKey(kept, context, ref, noCopy(ref))
      const source = kept.find(({ storage }) => storage.isInside?.(key))
      const place = source && keptPlace(context.io, source.name)
      if (!source || !place) throw new TreelogError("SessionNotFoundError", noCopy(ref), { ref })
      const { storage } = source
      const id = await idOfKept(storage, key)
      const restored = async (): Promise<GivenBack> => {
        if (source.files) await restoreBlobs(source, key, place)
        return restoreKept({ place, storage, key, id })
      }
      return context.hold(restored())
    })
    if (!outcome) continue
    const { path, files, rows, otherRows } = outcome.result
    await context.report({ path, files, rows, otherRows }, [cleanLine(path)])
    if (rows > 0) await context.log(`Rows of the database that are there again: ${numberText(rows)}.`)
    if (otherRows > 0)
      await context.log(`Rows that are there with another content, and stay: ${numberText(otherRows)}.`)
  }
  await context.log(outcomes.sentence(`${plural(outcomes.done, "session")} restored`))
  return outcomes.exitCode()
}

async function idOfKept(storage: SessionSource, key: string): Promise<string> {
  for await (const { key: one, id } of storage.list({ parts: true })) if (one === key && id !== undefined) return id
  return (await storage.summaries?.find(key))?.id ?? ""
}

/** The images that a session leaves out come back before it, where they are gone. */
async function restoreBlobs(sessions: CommandSource, key: string, { original }: KeptPlace): Promise<void> {
  const named = await blobsNamedIn([key, artifactsFolder(key) ?? []].flat())
  const from = await blobsOf(sessions, key)?.read()
  if (from && named.size > 0) await copyBlobs(named, from, await folderPlace(join(original, "blobs")).open())
}

function noCopy(ref: string): string {
  return `No session ${JSON.stringify(ref)} is in copies alone: its agent still has it, or \`treelog keep\` kept none.`
}

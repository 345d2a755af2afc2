import { basename, dirname } from "node:path"
import { type SessionInfo, TreelogError } from "@treelog/session-core"
import { listSessions } from "@treelog/session-core/adapter"
import { batchName, type FileTrash, type TrashedSession } from "@treelog/storage-fs"
import { ageOf, cleanLine, folderLine, plural, sizeText } from "@treelog-internal/text"
import { type CommandDefinition, durationOption } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import { type CommandContext, Progress } from "../io/command-context.js"
import { shortSessionIds } from "../render/short-ids.js"
import { type Look, tableLines, titleText } from "../render/table.js"
import { folderSize } from "../sessions/disk-use.js"
import { findKey } from "../sessions/find-session.js"
import { Outcomes } from "../sessions/outcomes.js"
import { type BackupItem, openTrashes, type Trashes, type TrashItem } from "../sessions/trash-view.js"
import { failureLine, printFailure } from "../store/stored-keys.js"

export const command: CommandDefinition = {
  job: "keep in order",
  summary: "list, restore and empty what was deleted",
  description: "List, restore and empty what `delete` moved to the trash. It uses disk space until it is emptied.",
  examples: [
    ["treelog trash ls", "list the trash"],
    ["treelog trash empty --older-than 30d", "show what would be removed for good"],
    ["treelog trash empty --apply", "remove everything in it for good"],
  ],
  commands: {
    ls: {
      summary: "list the trash",
      description: "List the trash of the store, most recently deleted first.",
      examples: [
        ["treelog trash ls", "most recently deleted first"],
        ["treelog trash ls --cwd ~/shop", "of one project"],
        ["treelog trash ls --json | jq -r .path", "only the paths"],
      ],
      run: listTrash,
    },
    restore: {
      summary: "restore sessions from the trash",
      description: "Restore sessions from the trash to where they were.",
      examples: [
        ["treelog trash restore --last", "undo the last delete"],
        ["treelog trash restore 01a1ffe2", "one session"],
      ],
      arguments: [
        [
          "[trashed...]",
          "path, start or end of an id, or name, in the trash; or a time from `treelog trash ls`: everything deleted then",
        ],
      ],
      options: [["--last", "the sessions of the last delete"]],
      run: restore,
    },
    empty: {
      summary: "remove trashed sessions for good",
      description:
        "List what is in the trash, and the backups that repairs and migrations kept; with --apply, remove them for good.",
      examples: [
        ["treelog trash empty", "show what would be removed"],
        ["treelog trash empty --older-than 30d --apply", "only what is older"],
      ],
      options: [
        [
          "--older-than <duration>",
          "deleted at least this long ago: 12h, 30d, 8w (default: 0)",
          { parse: durationOption },
        ],
        ["--apply", "remove it for good"],
      ],
      run: emptyTrash,
    },
  },
}

export async function listTrash(context: CommandContext): Promise<ExitCode> {
  const { io, options, style } = context
  const trashes = await openTrashes(context)
  const { items, failures } = await trashes.list()
  const progress = new Progress(context)
  const infos = new Map<string, SessionInfo>()
  for (const { storage } of trashes.sources())
    for await (const info of listSessions(storage, undefined, { signal: io.interrupted })) {
      infos.set(info.path, info)
      await progress.show(`Scanned ${plural(infos.size, "session")}`)
    }
  const rows: TrashRow[] = []
  for (const item of items) {
    const info = infos.get(item.path)
    // It was restored or deleted meanwhile.
    if (!info) continue
    const row = { item, info, bytes: await folderSize(dirname(item.path)) }
    rows.push(row)
    if (options.json) await context.printJson(jsonRow(row))
  }
  if (options.json) for (const failure of failures) await context.printJson(failure)
  else {
    if (rows.length > 0) await context.print(trashTable(rows, context.look))
    await context.print(failures.map((failure) => failureLine(failure, style)))
  }
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
  if (rows.length > 0) await context.log(`${plural(rows.length, "session")}, ${sizeText(bytes)}, in the trash.`)
  else await context.log(failures.length > 0 ? "Cannot tell what is in the trash." : "The trash is empty.")
  const { items: backups } = await trashes.backups()
  const kept = backups.reduce((sum, { size }) => sum + size, 0)
  if (backups.length > 0)
    await context.log(
      `Repairs and migrations kept ${plural(backups.length, "backup")}, ${sizeText(kept)}: \`treelog trash empty\` lists ${backups.length === 1 ? "it" : "them"}.`,
    )
  return failures.length > 0 ? EXIT.failed : EXIT.ok
}

function jsonRow({ item, info, bytes }: TrashRow): object {
  const { path, from, deleted } = item satisfies TrashedSession
  const { size: _, path: __, ...rest } = info
  return { path, from, deleted, batch: batchName(deleted), size: bytes, ...rest }
}

interface TrashRow {
  readonly item: TrashedSession
  readonly info: SessionInfo
  /** With all that was deleted with it. */
  readonly bytes: number
}

/** One line a session in the trash. */
function trashTable(rows: readonly TrashRow[], { style, now, home }: Look): string[] {
  const ids = shortSessionIds(rows.map(({ info }) => info.id))
  return tableLines<TrashRow>(
    [
      {
        title: "ID",
        cell: ({ info: { id, path } }) => cleanLine(ids.of(id) || basename(path)),
        least: 20,
        paint: (_, text) => style.paint("cyan", text),
      },
      { title: "DELETED", cell: ({ item }) => batchName(item.deleted) },
      { title: "AGE", cell: ({ info: { modified } }) => ageOf(modified, now), align: "right", omit: 1 },
      { title: "SIZE", cell: ({ bytes }) => sizeText(bytes), align: "right", omit: 2 },
      { title: "FOLDER", cell: ({ info: { cwd } }) => folderLine(cwd, home), most: 20, least: 10 },
      {
        title: "NAME OR FIRST MESSAGE",
        cell: ({ info: { error, name, firstMessage } }) =>
          error ? cleanLine(error.message) : titleText(name ?? firstMessage, style),
        paint: ({ info }, text) => (info.error ? style.paint("red", text) : text),
      },
    ],
    rows,
    style,
  )
}

export async function emptyTrash(
  context: CommandContext,
  { olderThan = 0, apply = false }: { readonly olderThan?: number; readonly apply?: boolean },
): Promise<ExitCode> {
  const { io, options } = context
  const trashes = await openTrashes(context)
  const [trashed, backups] = [await trashes.list(), await trashes.backups()]
  const progress = new Progress(context)
  const outcomes = new Outcomes(context)
  const batches = new Map<FileTrash, FileTrash>()
  let [bytes, removedBackups] = [0, 0]
  for (const failure of [...trashed.failures, ...backups.failures]) await outcomes.fail(failure)
  const items: readonly (TrashItem & Partial<BackupItem>)[] = [...trashed.items, ...backups.items]
  for (const { path, from, deleted, trash, size: backupSize } of items) {
    io.interrupted.throwIfAborted()
    if (context.startedAt - deleted < olderThan) continue
    const isBackup = backupSize !== undefined
    const size = backupSize ?? (await folderSize(dirname(path)))
    const outcome = await outcomes.of(path, async () => {
      if (!apply) return
      const batch = batches.get(trash) ?? trash.batch()
      batches.set(trash, batch)
      await context.hold(isBackup ? batch.removeBackup(path) : batch.remove(path))
    })
    if (!outcome) continue
    bytes += size
    if (isBackup) removedBackups += 1
    if (options.json) await context.printJson({ path, from, deleted, size, dryRun: !apply })
    else if (!apply) await context.print([cleanLine(path)])
    await progress.show(`Removed ${plural(outcomes.done, "session")}`)
  }
  const { done } = outcomes
  const sessions = done - removedBackups
  const what = [sessions > 0 && plural(sessions, "session"), removedBackups > 0 && plural(removedBackups, "backup")]
  const went = `${what.filter(Boolean).join(" and ")}, ${sizeText(bytes)}, ${apply ? "removed" : "to remove"} for good`
  const next = done > 0 && !apply ? ` This was a dry run; --apply removes ${done === 1 ? "it" : "them"}.` : ""
  await context.log(outcomes.sentence(done === 0 ? "Nothing to remove" : went) + next)
  return outcomes.exitCode()
}

/** Restores sessions from the trash, and prints their paths. One that fails stops no other. */
export async function restore(
  context: CommandContext,
  refs: readonly string[],
  { last = false }: { readonly last?: boolean },
): Promise<ExitCode> {
  if (refs.length > 0 === last)
    throw new UsageError("Name sessions in the trash, or use --last; `treelog trash ls` shows them.")
  context.finishUnread()
  const trashes = await openTrashes(context)
  const { items, failures } = await trashes.list()
  if (last && items.length === 0 && failures.length > 0) {
    for (const failure of failures) await printFailure(context, failure)
    await context.log("Cannot tell what is in the trash.")
    return EXIT.failed
  }
  const outcomes = new Outcomes(context)
  for (const { path, trash } of last ? lastOf(items) : await itemsNamed(context, trashes, items, refs)) {
    context.io.interrupted.throwIfAborted()
    const outcome = await outcomes.of(path, () => context.hold(trash.restore(path)))
    if (!outcome) continue
    await context.report({ path: outcome.result, trash: path }, [cleanLine(outcome.result)])
  }
  await context.log(outcomes.sentence(`${plural(outcomes.done, "session")} restored`))
  return outcomes.exitCode()
}

/** Each once. A time, as `treelog trash ls` prints it, means all that was deleted with it. */
async function itemsNamed(
  context: CommandContext,
  trashes: Trashes,
  items: readonly TrashItem[],
  refs: readonly string[],
): Promise<Set<Pick<TrashItem, "path" | "trash">>> {
  const sources = trashes.sources()
  const named = new Map<string, Pick<TrashItem, "path" | "trash">>()
  for (const ref of refs) {
    const batch = items.filter(({ deleted }) => batchName(deleted) === ref)
    for (const item of batch) named.set(item.path, item)
    if (batch.length > 0) continue
    if (sources.length === 0) throw noTrash(ref)
    const none = `There is no session ${JSON.stringify(ref)} in the trash; \`treelog trash ls\` lists those that are.`
    const path = await findKey(sources, context, ref, none)
    const item = items.find((one) => one.path === path)
    named.set(path, item ?? { path, trash: trashes.first() })
  }
  return new Set(named.values())
}

function lastOf(items: readonly TrashItem[]): readonly TrashItem[] {
  const [newest] = items
  if (!newest) throw noTrash("")
  return items.filter(({ deleted }) => deleted === newest.deleted)
}

function noTrash(ref: string): TreelogError<"SessionNotFoundError"> {
  return new TreelogError("SessionNotFoundError", "There is nothing in the trash.", { ref })
}

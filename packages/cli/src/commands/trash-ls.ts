import { basename, dirname } from "node:path"
import type { SessionInfo } from "@treelog/session-core"
import { batchName, type TrashedSession } from "@treelog/storage-fs"
import { ageOf, cleanLine, folderLine, plural, type Style, sizeText } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { Trashes } from "../housekeeping/trash-view.js"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import { shortSessionIds } from "../render/short-ids.js"
import { tableLines } from "../render/table.js"
import { titleText } from "../render/titles.js"
import { failureLine } from "../sessions/stored-keys.js"
import { folderSize } from "../stats/disk-use.js"

/** Prints what is in the trash, most recently deleted first. */
export async function listTrash(context: CommandContext): Promise<ExitCode> {
  const { io, options, style } = context
  const trashes = await Trashes.of(context)
  const { items, failures } = await trashes.list()
  const progress = new Progress(context)
  const infos = new Map<string, SessionInfo>()
  for await (const info of trashes.manager()?.listAll({ signal: io.interrupted }) ?? []) {
    infos.set(info.path, info)
    await progress.show(`Scanned ${plural(infos.size, "session")}`)
  }
  await progress.clear()
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
    if (rows.length > 0) await context.print(trashTable(rows, { style, now: io.now(), home: io.env.HOME }))
    await context.print(failures.map((failure) => failureLine(failure, style)))
  }
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
  await context.log(
    rows.length === 0 ? "The trash is empty." : `${plural(rows.length, "session")}, ${sizeText(bytes)}, in the trash.`,
  )
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
function trashTable(
  rows: readonly TrashRow[],
  { style, now, home }: { style: Style; now: number; home: string | undefined },
): string[] {
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

import { basename } from "node:path"
import type { SessionInfo } from "@treelog/session-core"
import { batchName, type TrashedSession } from "@treelog/storage-fs"
import type { Style } from "@treelog-internal/text"
import { ageOf, cleanLine, sizeText } from "@treelog-internal/text"
import { folderName } from "./folder-name.js"
import { shortSessionIds } from "./short-ids.js"
import { tableLines } from "./table.js"
import { titleText } from "./title-text.js"

export interface TrashRow {
  readonly item: TrashedSession
  readonly info: SessionInfo
  /** With all that went along. */
  readonly bytes: number
}

/** One line a session in the trash. */
export function trashTable(
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
      { title: "FOLDER", cell: ({ info: { cwd } }) => folderName(cwd, home), most: 20, least: 10 },
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

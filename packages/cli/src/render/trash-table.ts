import { basename } from "node:path"
import type { SessionInfo } from "@treelog/session-core"
import { batchName, type TrashedSession } from "@treelog/storage-fs"
import { cleanLine } from "./clean-text.js"
import { folderName } from "./folder-name.js"
import { shortIds } from "./short-ids.js"
import { sizeText } from "./size.js"
import type { Style } from "./style.js"
import { tableLines } from "./table.js"
import { ageOf } from "./time.js"

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
  const shortId = shortIds(rows.map(({ info }) => info.id))
  return tableLines<TrashRow>(
    [
      {
        title: "ID",
        cell: ({ info: { id, path } }) => cleanLine(shortId(id) || basename(path)),
        paint: (_, text) => style.paint("cyan", text),
      },
      { title: "DELETED", cell: ({ item }) => batchName(item.deleted) },
      { title: "AGE", cell: ({ info: { modified } }) => ageOf(modified, now), align: "right" },
      { title: "SIZE", cell: ({ bytes }) => sizeText(bytes), align: "right" },
      { title: "FOLDER", cell: ({ info: { cwd } }) => folderName(cwd, home), most: 20 },
      {
        title: "NAME OR FIRST MESSAGE",
        cell: ({ info: { error, name, firstMessage } }) => cleanLine(error ? error.message : (name ?? firstMessage)),
        paint: ({ info }, text) => (info.error ? style.paint("red", text) : text),
      },
    ],
    rows,
    style,
  )
}

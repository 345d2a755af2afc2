import { cleanLine } from "../render/clean-text.js"
import { styleFor } from "../render/style.js"
import { transcriptPrinter, turnLines } from "../render/transcript-lines.js"
import type { ExportFormat } from "./export-format.js"

const NOWHERE = { isTTY: false, columns: 0, write: async () => {} }

/** What `treelog show --full` prints, without colours. */
export const textFormat: ExportFormat = {
  scope: "branch",
  hasImages: false,
  isJson: false,
  async *render(source) {
    const { name, sessionId, cwd } = await source.head()
    yield { text: `${[name, sessionId, cwd].map(cleanLine).filter(Boolean).join(" · ")}\n` }
    const look = { style: styleFor(NOWHERE, {}, { color: false }), full: true, shortId: cleanLine }
    const linesOf = transcriptPrinter(look)
    let last: string | null | undefined
    for await (const item of source.items()) {
      const { id, parentId } = item.entry
      const turn = !source.isWhole || last === undefined || last === parentId ? [] : turnLines(parentId, look)
      yield { text: `${[...turn, ...linesOf(item)].join("\n")}\n` }
      last = id
    }
  },
}

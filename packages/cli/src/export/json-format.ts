import { jsonText } from "@treelog/session-core/json"
import type { ExportFormat } from "./export-format.js"

/** One JSON document: the header, and the entries in a list. Entries of older versions are as the current one has them. */
export const jsonFormat: ExportFormat = {
  scope: "all",
  hasImages: true,
  isJson: true,
  async *render(source) {
    const { header, name, leafId } = await source.head()
    const session = { header, name: name ?? null, leafId, allBranches: source.isWhole }
    yield { before: '{"v":1,"session":', text: jsonText(session), isJson: true }
    let before = ',"entries":[\n'
    for await (const entry of source.entries()) {
      yield { before, text: jsonText(entry), isJson: true, opaque: source.opaque }
      before = ",\n"
    }
    yield { before: before === ",\n" ? "\n]}\n" : `${before}]}\n`, text: "" }
  },
}

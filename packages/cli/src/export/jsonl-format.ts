import type { ExportFormat } from "./export-format.js"

/** A session's file, line for line: what `treelog import` takes back. */
export const jsonlFormat: ExportFormat = {
  scope: "all",
  hasImages: true,
  isJson: true,
  async *render(source) {
    for await (const { content, opaque } of source.lines()) {
      yield typeof content === "string" ? { text: content, isJson: true, opaque } : { text: "", bytes: content }
    }
  },
}

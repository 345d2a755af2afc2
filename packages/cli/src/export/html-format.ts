import type { ExportFormat } from "./export-format.js"
import { jsonlFormat } from "./jsonl-format.js"

/** One HTML file that shows the session: the viewer, with the lines that jsonl has in it. */
export const htmlFormat: ExportFormat = {
  scope: "all",
  hasImages: true,
  inlinesImages: true,
  isJson: false,
  render: jsonlFormat.render,
  async *wrap(contents, source) {
    const { exportPage } = await import("@treelog/viewer")
    const { name, sessionId } = await source.head()
    yield* exportPage({ title: name || sessionId, fileName: `${sessionId}.jsonl`, session: contents })
  },
}

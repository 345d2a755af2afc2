import type { ExportFormat } from "./export-format.js"
import type { FormatName } from "./export-options.js"

/** By name; each is loaded when it is asked for. */
export const FORMATS: Readonly<Record<FormatName, () => Promise<ExportFormat>>> = {
  md: async () => (await import("./md-format.js")).mdFormat,
  text: async () => (await import("./text-format.js")).textFormat,
  jsonl: async () => (await import("./jsonl-format.js")).jsonlFormat,
  json: async () => (await import("./json-format.js")).jsonFormat,
  html: async () => (await import("./html-format.js")).htmlFormat,
}

/** What `--format` takes. */
export type FormatName = "md" | "text" | "jsonl" | "json" | "html"

/** As commander reads them: what is on unless `--no-…` is given has no `no` here. */
export interface ExportOptions {
  readonly format?: FormatName
  readonly leaf?: string
  readonly allBranches?: boolean
  readonly tools: boolean
  readonly thinking: boolean
  readonly inlineImages?: boolean
  readonly redact: boolean
  readonly output?: string
  readonly force?: boolean
}

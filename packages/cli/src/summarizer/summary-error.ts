import { readFile } from "node:fs/promises"
import { absoluteFolder } from "@treelog-internal/fs"
import type { Io } from "../io/io.js"

/** Why there is no summary. */
type NoSummary = "not-started" | "failed" | "timeout" | "empty" | "too-long" | "unreadable" | "overtaken"

/** No summary came, and nothing was changed. Has the shape of a TreelogError, so that it is reported like one. */
export class SummaryError extends Error {
  override readonly name = "SummaryError"
  readonly code = "SummaryError"
  readonly data: Readonly<Record<string, unknown> & { reason: NoSummary }>

  constructor(reason: NoSummary, message: string, data: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, { cause })
    this.data = { reason, ...data }
  }
}

/** Why nothing was summarized, of what summarizes. */
export function noSummary(status: "empty-summary" | "overtaken", command: string | undefined): SummaryError {
  return status === "empty-summary"
    ? new SummaryError("empty", "The summarizer printed nothing.", { command })
    : new SummaryError("overtaken", "Entries were appended while the branch was summarized.")
}

/**
 * A summary that was written already.
 * @param file `-` for stdin
 * @throws SummaryError when it cannot be read, is not text, or is empty
 */
export async function readSummary(io: Io, file: string): Promise<string> {
  const summary = (file === "-" ? await io.readStdin() : await readTextFile(absoluteFolder(io, file))).trim()
  if (summary === "") throw new SummaryError("empty", "The summary is empty.", { file })
  return summary
}

async function readTextFile(path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path))
  } catch (cause) {
    const errno = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
    const why = errno === "ENOENT" ? `There is no file ${path}.` : `Cannot read ${path}: ${errno}.`
    throw new SummaryError("unreadable", why, { file: path, errno }, cause)
  }
}

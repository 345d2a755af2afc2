import { readFile } from "node:fs/promises"
import { absoluteFolder } from "../io/absolute-folder.js"
import type { Io } from "../io/io.js"
import { SummaryError } from "./summary-error.js"

/**
 * A summary that was written already.
 * @param file `-` for stdin
 * @throws SummaryError when it cannot be read, is no text, or is empty
 */
export async function readSummary(io: Io, file: string): Promise<string> {
  const summary = (file === "-" ? await io.readStdin() : await textOf(absoluteFolder(io, file))).trim()
  if (summary === "") throw new SummaryError("empty", "The summary is empty.", { file })
  return summary
}

async function textOf(path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path))
  } catch (cause) {
    const errno = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
    const why = errno === "ENOENT" ? `There is no file ${path}.` : `Cannot read ${path}: ${errno}.`
    throw new SummaryError("unreadable", why, { file: path, errno }, cause)
  }
}

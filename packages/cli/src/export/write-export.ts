import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import { cleanJson } from "../render/clean-text.js"
import { plural, sizeText } from "../render/quantities.js"
import { mergedWrites } from "./batches.js"
import type { ExportFormat, Piece } from "./export-format.js"
import type { ExportOptions } from "./export-options.js"
import type { ExportSource } from "./export-source.js"
import { NewFile } from "./new-file.js"
import { redactPieces } from "./redact-output.js"
import type { Redactor } from "./redactor.js"

/** A session on its way to where it is written. */
interface Written {
  readonly context: CommandContext
  readonly source: ExportSource
  readonly redactor: Redactor
  readonly format: ExportFormat
  readonly pieces: AsyncIterable<Piece>
}

/** @returns how much was written */
export async function toStdout(written: Written): Promise<number> {
  const { context, format } = written
  const { stdout } = context.io
  const isShown = format.isJson && stdout.isTTY
  let size = 0
  for await (const content of contentOf(written)) {
    context.io.interrupted.throwIfAborted()
    const shown = isShown ? cleanJson(typeof content === "string" ? content : Buffer.from(content).toString()) : content
    size += shown.length
    await stdout.write(shown)
  }
  return size
}

/**
 * Writes a file that is there when it is whole, or not at all.
 * @returns its bytes
 */
export async function toFile(written: Written, output: string, { force = false }: ExportOptions): Promise<number> {
  const { context, source } = written
  const file = await NewFile.begin(output, force)
  const progress = new Progress(context)
  try {
    for await (const content of contentOf(written)) {
      context.io.interrupted.throwIfAborted()
      await file.write(content)
      await progress.show(`Exported ${plural(source.summary.entries, "entry", "entries")}, ${sizeText(file.bytes)}`)
    }
    await file.finish()
    return file.bytes
  } catch (error) {
    await file.discard()
    throw error
  } finally {
    await progress.clear()
  }
}

function contentOf({ pieces, redactor, format, source }: Written): AsyncIterable<string | Uint8Array> {
  const contents = mergedWrites(redactor.isOn ? redactPieces(pieces, redactor) : asRendered(pieces))
  return format.wrap ? format.wrap(contents, source) : contents
}

async function* asRendered(pieces: AsyncIterable<Piece>): AsyncGenerator<string | Uint8Array> {
  for await (const { before = "", text, bytes } of pieces) yield bytes ?? before + text
}

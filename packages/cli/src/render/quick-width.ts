import { createRequire } from "node:module"

const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S}]$/u
const EMOJI = /^(?!\p{Regional_Indicator})\p{Emoji_Presentation}$/u
/** A sign that is shown as a picture because it was asked for: the heart, say. */
const AS_EMOJI = /^(?=\p{Emoji})\p{Extended_Pictographic}\ufe0f$/u
/** Among narrow ones. */
const WIDE_SIGNS = /[\u2329\u232a\u2630-\u2637\u268a-\u268f]/
const IDEOGRAPHS = /^[\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]$/

/**
 * Columns of a character as people see it, for common characters; undefined where the tables of all scripts and emoji are needed.
 * Those take longer to load than most commands take to run, and nearly no text needs them.
 */
export function quickWidth(character: string): number | undefined {
  if (character.length === 1 && character >= " " && character <= "~") return 1
  if (AS_EMOJI.test(character)) return 2
  if (!VISIBLE.test(character)) return undefined
  if (IDEOGRAPHS.test(character) || EMOJI.test(character)) return 2
  const isOfNarrowScript = character < "\u1100" || (character >= "\u2010" && character < "\u2e80")
  return isOfNarrowScript && !WIDE_SIGNS.test(character) ? 1 : undefined
}

let fullWidth: ((text: string) => number) | undefined

/** Columns of any text, without its colours. */
export function stringWidth(text: string): number {
  fullWidth ??= loaded()
  return fullWidth(text)
}

function loaded(): (text: string) => number {
  const { default: width } = createRequire(import.meta.url)("string-width") as typeof import("string-width")
  return width
}

/** A block of code between fences, as Markdown has it. */
export interface FencedCode {
  readonly from: number
  /** Undefined where no fence closes it. */
  readonly to: number | undefined
  /** The fence that opens it, such as three backticks. */
  readonly fence: string
}

const FENCES = /^ {0,3}(`{3,}|~{3,})(.*)$/gm

/** The blocks of fenced code in a text. Reads it once, however many fences are never closed. */
export function* fencedCode(text: string): Generator<FencedCode> {
  let open: { readonly from: number; readonly fence: string } | undefined
  for (const { 0: line, 1: fence = "", 2: rest = "", index } of text.matchAll(FENCES)) {
    if (open === undefined) {
      // Backticks that end in the same line are code in that line.
      if (fence.startsWith("~") || !rest.includes("`")) open = { from: index, fence }
    } else if (fence.startsWith(open.fence) && rest.trim() === "") {
      yield { ...open, to: index + line.length }
      open = undefined
    }
  }
  if (open) yield { ...open, to: undefined }
}

/** Without the line ends at its end. A pattern would read each run of them within the text many times. */
export function withoutLastLineEnds(text: string): string {
  let to = text.length
  while (text[to - 1] === "\n") to -= 1
  return text.slice(0, to)
}

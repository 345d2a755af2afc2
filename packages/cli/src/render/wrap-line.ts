import { fits, headOf } from "./width.js"

/** Breaks a line into pieces that fit the width, at spaces where it can. The indentation is kept in every piece. */
export function wrapLine(line: string, width: number | undefined): string[] {
  if (width === undefined || fits(line, width)) return [line]
  const indent = /^ */.exec(line)?.[0] ?? ""
  // Deep indentation leaves no room for text; the terminal may break such a line as it likes.
  if (indent.length * 2 > width) return [line]
  const room = width - indent.length
  const pieces: string[] = []
  for (let rest = line.slice(indent.length); rest !== ""; ) {
    const piece = firstPiece(rest, room)
    pieces.push(indent + piece.trimEnd())
    rest = rest.slice(piece.length).trimStart()
  }
  return pieces
}

function firstPiece(text: string, room: number): string {
  const head = headOf(text, room) || text.slice(0, 2)
  if (head.length === text.length || text[head.length] === " ") return head
  const space = head.lastIndexOf(" ")
  return space > head.length / 3 ? head.slice(0, space + 1) : head
}

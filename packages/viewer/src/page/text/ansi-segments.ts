import { cleanTabbed, ESCAPE_SEQUENCES } from "@treelog-internal/text"

// Colours of terminals, as programs print them: SGR sequences. They become names of colours that both themes define, so that all
// text stays readable; other escape sequences are removed.

/** A part of an output in one style. */
export interface AnsiSegment {
  /** Safe to display. */
  readonly text: string
  /** Class names of its style; empty for plain text. */
  readonly style: string
}

const SGR = new RegExp(`^${String.fromCharCode(0x1b)}\\[([\\d;:]*)m$`)
const HUES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const

type Hue = (typeof HUES)[number]

interface Style {
  ink: Hue | undefined
  ground: Hue | undefined
  bold: boolean
  faint: boolean
  italic: boolean
  underlined: boolean
  inverse: boolean
  struck: boolean
}

const PLAIN: Style = {
  ink: undefined,
  ground: undefined,
  bold: false,
  faint: false,
  italic: false,
  underlined: false,
  inverse: false,
  struck: false,
}

/** The output of a program as parts with styles. Their texts are, together, the cleaned output. */
export function ansiSegments(output: unknown): AnsiSegment[] {
  if (typeof output !== "string") return [{ text: cleanTabbed(output), style: "" }]
  const pieces: AnsiSegment[] = []
  const style = { ...PLAIN }
  let from = 0
  const add = (to: number): void => {
    if (to > from) pieces.push({ text: output.slice(from, to), style: classNames(style) })
  }
  for (const { 0: sequence, index } of output.matchAll(ESCAPE_SEQUENCES)) {
    add(index)
    from = index + sequence.length
    const codes = SGR.exec(sequence)?.[1]
    if (codes !== undefined) apply(style, codes.split(/[;:]/).map(Number))
  }
  add(output.length)
  return joined(pieces)
}

/** Cleans the pieces, and joins those of one style. A line end may be split by a sequence. */
function joined(pieces: readonly AnsiSegment[]): AnsiSegment[] {
  const segments: AnsiSegment[] = []
  for (const [at, { text, style }] of pieces.entries()) {
    const isSplit = text.endsWith("\r") && pieces[at + 1]?.text.startsWith("\n") === true
    const clean = cleanTabbed(isSplit ? text.slice(0, -1) : text)
    const last = segments.at(-1)
    if (last?.style === style) segments[segments.length - 1] = { text: last.text + clean, style }
    else if (clean !== "") segments.push({ text: clean, style })
  }
  return segments
}

/** The first characters of an output. */
export function segmentsUpTo(segments: readonly AnsiSegment[], length: number): AnsiSegment[] {
  const shown: AnsiSegment[] = []
  let left = length
  for (const { text, style } of segments) {
    if (left <= 0) break
    shown.push({ text: text.slice(0, left), style })
    left -= text.length
  }
  return shown
}

function apply(style: Style, codes: readonly number[]): void {
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (code === 38 || code === 48) {
      const { hue, length } = extendedColour(codes.slice(at + 1))
      style[code === 38 ? "ink" : "ground"] = hue
      at += length
    } else applyCode(style, code)
  }
}

function applyCode(style: Style, code: number): void {
  if (code === 0) Object.assign(style, PLAIN)
  else if (code === 1) style.bold = true
  else if (code === 2) style.faint = true
  else if (code === 3) style.italic = true
  else if (code === 4) style.underlined = true
  else if (code === 7) style.inverse = true
  else if (code === 9) style.struck = true
  else if (code === 22) Object.assign(style, { bold: false, faint: false })
  else if (code === 23) style.italic = false
  else if (code === 24) style.underlined = false
  else if (code === 27) style.inverse = false
  else if (code === 29) style.struck = false
  else if (code === 39) style.ink = undefined
  else if (code === 49) style.ground = undefined
  else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) style.ink = HUES[code % 10]
  else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) style.ground = HUES[code % 10]
}

/** The colour behind `38` or `48`: one of 256, or of red, green and blue. `length`: of the codes that it takes. */
function extendedColour([kind, first = 0, green = 0, blue = 0]: readonly number[]): {
  hue: Hue | undefined
  length: number
} {
  if (kind === 2) return { hue: nearestHue(first, green, blue), length: 4 }
  return { hue: kind === 5 ? hueOfNumber(first) : undefined, length: 2 }
}

function hueOfNumber(number: number): Hue | undefined {
  if (number < 16) return HUES[number % 8]
  if (number >= 232) return number < 244 ? "black" : "white"
  const cube = number - 16
  return nearestHue(Math.floor(cube / 36) * 51, (Math.floor(cube / 6) % 6) * 51, (cube % 6) * 51)
}

/** The hue that has the same of red, green and blue in it. */
function nearestHue(red: number, green: number, blue: number): Hue | undefined {
  const most = Math.max(red, green, blue)
  const least = Math.min(red, green, blue)
  if (most - least < 40) return most < 128 ? "black" : "white"
  const limit = (most + least) / 2
  return HUES[(red > limit ? 1 : 0) + (green > limit ? 2 : 0) + (blue > limit ? 4 : 0)]
}

function classNames({ ink, ground, bold, faint, italic, underlined, inverse, struck }: Style): string {
  const [front, back] = inverse ? [ground, ink ?? "white"] : [ink, ground]
  const names = [
    back !== undefined ? `ansi-on ansi-${back}` : front !== undefined && `ansi-${front}`,
    bold && "ansi-bold",
    faint && back === undefined && front === undefined && "ansi-faint",
    italic && "ansi-italic",
    underlined && "ansi-underlined",
    struck && "ansi-struck",
  ]
  return names.filter((name) => name !== false).join(" ")
}

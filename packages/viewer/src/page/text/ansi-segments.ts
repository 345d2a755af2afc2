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
type Effect = "bold" | "faint" | "italic" | "underlined" | "inverse" | "struck"

const ON: Readonly<Record<number, Effect>> = {
  1: "bold",
  2: "faint",
  3: "italic",
  4: "underlined",
  7: "inverse",
  9: "struck",
}
const OFF: Readonly<Record<number, readonly Effect[]>> = {
  0: Object.values(ON),
  22: ["bold", "faint"],
  23: ["italic"],
  24: ["underlined"],
  27: ["inverse"],
  29: ["struck"],
}

interface Style {
  ink: Hue | undefined
  ground: Hue | undefined
  readonly effects: Set<Effect>
}

/** The output of a program as parts with styles. Their texts are, together, the cleaned output. */
export function ansiSegments(output: unknown): AnsiSegment[] {
  if (typeof output !== "string") return [{ text: cleanTabbed(output), style: "" }]
  const pieces: AnsiSegment[] = []
  const style: Style = { ink: undefined, ground: undefined, effects: new Set() }
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
  const [kind, hue] = [Math.floor(code / 10), HUES[code % 10]]
  const effect = ON[code]
  if (effect) style.effects.add(effect)
  for (const ended of OFF[code] ?? []) style.effects.delete(ended)
  // 39 and 49 have no hue.
  if (code === 0 || kind === 3 || kind === 9) style.ink = code === 0 ? undefined : hue
  if (code === 0 || kind === 4 || kind === 10) style.ground = code === 0 ? undefined : hue
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

function classNames({ ink, ground, effects }: Style): string {
  const [front, back] = effects.has("inverse") ? [ground, ink ?? "white"] : [ink, ground]
  const names = back !== undefined ? ["ansi-on", `ansi-${back}`] : front !== undefined ? [`ansi-${front}`] : []
  const isColoured = names.length > 0
  for (const effect of Object.values(ON))
    if (effects.has(effect) && effect !== "inverse" && !(effect === "faint" && isColoured)) names.push(`ansi-${effect}`)
  return names.join(" ")
}

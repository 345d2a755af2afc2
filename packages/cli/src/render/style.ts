import { type Glyphs, type Paint, type Style, UNICODE } from "@treelog-internal/text"
import { truncated, wrapLine } from "./width.js"

const ASCII: Glyphs = {
  on: "*",
  off: "o",
  compactionOn: "#",
  compactionOff: "=",
  tee: "|-",
  corner: "`-",
  rail: "| ",
  leaf: "<-",
  call: "->",
  dot: "-",
  rule: "-",
  bar: "#",
  ellipsis: "...",
}

const ESCAPE = String.fromCharCode(0x1b)
/** What starts and what ends each. `node:util` knows them, too: to import it takes as long as to stat hundreds of sessions. */
const CODES: Readonly<Record<Paint, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
}

/** What text is printed on. */
interface Surface {
  readonly isTTY: boolean
  readonly columns: number
}

type Environment = Readonly<Record<string, string | undefined>>

export function styleFor(output: Surface, env: Environment, options: { readonly color?: boolean }): Style {
  const colours = hasColours(output, env, options.color)
  const glyphs = isUtf8(env) ? UNICODE : ASCII
  return {
    paint: (paint, text) => (colours && text !== "" ? [paint].flat().reduceRight(painted, text) : text),
    glyphs,
    cut: (text, columns) => truncated(text, columns, glyphs.ellipsis),
    wrap: wrapLine,
    width: output.isTTY ? output.columns : undefined,
  }
}

function painted(text: string, paint: Paint): string {
  const [start, end] = CODES[paint]
  return `${ESCAPE}[${start}m${text}${ESCAPE}[${end}m`
}

function hasColours(output: Surface, env: Environment, color: boolean | undefined): boolean {
  if (color === false) return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false"
  return output.isTTY && !env.NO_COLOR && env.TERM !== "dumb"
}

/** Where no locale is set, as in containers, UTF-8 is assumed. */
function isUtf8({ LC_ALL, LC_CTYPE, LANG }: Environment): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG
  return !locale || /utf-?8/i.test(locale)
}

import { styleText } from "node:util"
import type { Io, Output } from "../io/io.js"
import type { GlobalOptions } from "../program/options.js"

export type Paint = "bold" | "dim" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan"

/** How things are drawn: colours or none, which ornaments, how wide. */
export interface Style {
  /** Gives the text unchanged where there are no colours. */
  paint(paint: Paint | readonly Paint[], text: string): string
  readonly glyphs: Glyphs
  /** Columns that a line may take; undefined where nothing is cut. */
  readonly width: number | undefined
}

export interface Glyphs {
  readonly on: string
  readonly off: string
  readonly compactionOn: string
  readonly compactionOff: string
  readonly tee: string
  readonly corner: string
  readonly rail: string
  readonly leaf: string
  readonly call: string
  readonly dot: string
  readonly rule: string
  readonly ellipsis: string
}

const UNICODE: Glyphs = {
  on: "●",
  off: "○",
  compactionOn: "◆",
  compactionOff: "◇",
  tee: "├─",
  corner: "└─",
  rail: "│ ",
  leaf: "←",
  call: "→",
  dot: "·",
  rule: "─",
  ellipsis: "…",
}

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
  ellipsis: "...",
}

export function styleFor(output: Output, env: Io["env"], options: GlobalOptions): Style {
  const colours = hasColours(output, env, options)
  return {
    paint: (paint, text) =>
      colours && text !== "" ? styleText([paint].flat(), text, { validateStream: false }) : text,
    glyphs: isUtf8(env) ? UNICODE : ASCII,
    width: output.isTTY ? output.columns : undefined,
  }
}

function hasColours(output: Output, env: Io["env"], { color }: GlobalOptions): boolean {
  if (color === false) return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false"
  return output.isTTY && !env.NO_COLOR && env.TERM !== "dumb"
}

/** A locale that says nothing is taken for UTF-8: such is a container's, seen through a terminal of today. */
function isUtf8({ LC_ALL, LC_CTYPE, LANG }: Io["env"]): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG
  return !locale || /utf-?8/i.test(locale)
}

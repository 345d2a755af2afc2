import { styleText } from "node:util"
import { type Glyphs, type Style, UNICODE } from "@treelog-internal/text"
import type { Io, Output } from "../io/io.js"
import type { GlobalOptions } from "../program/options.js"
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

export function styleFor(output: Pick<Output, "isTTY" | "columns">, env: Io["env"], options: GlobalOptions): Style {
  const colours = hasColours(output, env, options)
  const glyphs = isUtf8(env) ? UNICODE : ASCII
  return {
    paint: (paint, text) =>
      colours && text !== "" ? styleText([paint].flat(), text, { validateStream: false }) : text,
    glyphs,
    cut: (text, columns) => truncated(text, columns, glyphs.ellipsis),
    wrap: wrapLine,
    width: output.isTTY ? output.columns : undefined,
  }
}

function hasColours(output: Pick<Output, "isTTY">, env: Io["env"], { color }: GlobalOptions): boolean {
  if (color === false) return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false"
  return output.isTTY && !env.NO_COLOR && env.TERM !== "dumb"
}

/** Where no locale is set, as in containers, UTF-8 is assumed. */
function isUtf8({ LC_ALL, LC_CTYPE, LANG }: Io["env"]): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG
  return !locale || /utf-?8/i.test(locale)
}

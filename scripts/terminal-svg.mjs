/** Sizes of a character of the font, in pixels. */
const [WIDTH, HEIGHT] = [8.4, 20]
const MARGIN = 20
const INK = "#d8dee9"
const COLOURS = {
  31: "#e5767f",
  32: "#a3be8c",
  33: "#ebcb8b",
  34: "#81a1c1",
  35: "#b48ead",
  36: "#88c0d0",
  90: "#7b8496",
}

/** How a code of a terminal changes the style of the text that follows. */
function restyled(style, code) {
  if (code === 0) return {}
  if (code === 1) return { ...style, isBold: true }
  if (code === 2) return { ...style, isDim: true }
  if (code === 22) return { ...style, isBold: false, isDim: false }
  return { ...style, fill: COLOURS[code] }
}

/** SVG joins spaces that follow each other, but not those that do not break. */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(" ", "\u00a0")

/** A picture of what a command printed with colours. @param text lines with ANSI styles */
export function terminalSvg(text) {
  const lines = text.trimEnd().split("\n")
  let style = {}
  let columns = 0
  const rows = lines.map((line, row) => {
    let column = 0
    const spans = line.split("\u001b[").map((part, index) => {
      const [, codes = "", rest = ""] = index === 0 ? ["", "", part] : (/^([\d;]*)m(.*)$/.exec(part) ?? [])
      for (const code of codes.split(";").filter(Boolean)) style = restyled(style, Number(code))
      const x = MARGIN + column * WIDTH
      column += [...rest].length
      if (rest.trim() === "") return ""
      const weight = style.isBold ? ' font-weight="bold"' : ""
      const opacity = style.isDim ? ' opacity="0.6"' : ""
      return `<tspan x="${x.toFixed(1)}" fill="${style.fill ?? INK}"${weight}${opacity}>${escaped(rest)}</tspan>`
    })
    columns = Math.max(columns, column)
    return `<text y="${MARGIN + (row + 0.75) * HEIGHT}">${spans.join("")}</text>`
  })
  const width = Math.ceil(2 * MARGIN + columns * WIDTH)
  const height = 2 * MARGIN + lines.length * HEIGHT
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>treelog in a terminal</title>
<rect width="100%" height="100%" rx="8" fill="#242933"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">
${rows.join("\n")}
</g>
</svg>
`
}

// The few elements of S3's answers that are read. They have no attributes, and none contains one of its own name.

/** The texts between the tags of each element with this name, as far as they are closed. */
export function* elementsOf(xml: string, name: string): Generator<string> {
  const [open, close] = [`<${name}>`, `</${name}>`]
  for (let at = xml.indexOf(open); at !== -1; at = xml.indexOf(open, at)) {
    const from = at + open.length
    const to = xml.indexOf(close, from)
    if (to === -1) return
    yield xml.slice(from, to)
    at = to + close.length
  }
}

/** Whether a document has one element with this name at the top, and the whole of it. */
export function isWholeDocument(xml: string, name: string): boolean {
  const at = xml.indexOf(`<${name}`)
  if (at === -1 || xml.lastIndexOf(`<${name}`) !== at) return false
  const before = xml.slice(0, at).trim()
  return (before === "" || /^<\?xml[^>]*>$/.test(before)) && xml.trimEnd().endsWith(`</${name}>`)
}

/** The text of the first element with this name, decoded. */
export function elementText(xml: string, name: string): string | undefined {
  for (const inner of elementsOf(xml, name)) return decodeEntities(inner)
  return undefined
}

const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g, (whole, name, decimal, hex) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

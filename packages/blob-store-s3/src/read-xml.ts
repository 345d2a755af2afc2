// The few elements of S3's answers that are read. They have no attributes, and none contains one of its own name.

/** The texts between the tags of each element with this name. */
export function elementsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, "g"))].map(([, inner = ""]) => inner)
}

/** The text of the first element with this name, decoded. */
export function elementText(xml: string, name: string): string | undefined {
  const [inner] = elementsOf(xml, name)
  return inner === undefined ? undefined : decodeEntities(inner)
}

const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g, (whole, name, decimal, hex) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

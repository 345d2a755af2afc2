import type { Json } from "./json.js"

/** The texts of a YAML mapping, as agents write their settings: `name: text`, in quotes or in a block. What is nested is left out. */
export function yamlFields(text: string): Json {
  const fields: [string, string][] = []
  for (const [, name = "", value = "", block = ""] of text.matchAll(
    /^([\w-]+):[ \t]*(.*)((?:\r?\n(?:[ \t]+.*)?)*)/gm,
  )) {
    const lines = block.split(/\r?\n/).map((line) => line.trim())
    const isBlock = /^[|>][+-]?\d?$/.test(value.trim())
    const rest = lines.join(value.startsWith("|") ? "\n" : " ").trim()
    fields.push([name, isBlock ? rest : scalarOf(`${value} ${rest}`.trim())])
  }
  return Object.fromEntries(fields)
}

function scalarOf(value: string): string {
  if (/^'.*'$/s.test(value)) return value.slice(1, -1).replaceAll("''", "'")
  if (!/^".*"$/s.test(value)) return value.replace(/(?:^|\s)#.*$/s, "")
  try {
    return String(JSON.parse(value))
  } catch (error) {
    if (error instanceof SyntaxError) return value.slice(1, -1)
    throw error
  }
}

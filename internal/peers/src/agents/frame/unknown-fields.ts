import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

/** The fields that were looked at: those of objects, also in lists, by their names. What is `true` can have any. */
export type KnownFields = true | { readonly [field: string]: KnownFields }

/** The fields in the JSON files of a folder that nobody has looked at, with their paths. @param pattern of the files' paths in it */
export async function unknownFields(folder: string, pattern: RegExp, known: KnownFields): Promise<Set<string>> {
  const unknown = new Set<string>()
  for (const name of await readdir(folder, { recursive: true })) {
    if (!pattern.test(name)) continue
    const text = await readFile(join(folder, name), "utf8")
    const documents = name.endsWith(".jsonl") ? text.split("\n").filter((line) => line !== "") : [text]
    for (const document of documents) addUnknown(JSON.parse(document), known, "", unknown)
  }
  return unknown
}

function addUnknown(value: unknown, known: KnownFields, path: string, unknown: Set<string>): void {
  if (known === true || typeof value !== "object" || value === null) return
  if (Array.isArray(value)) {
    for (const one of value) addUnknown(one, known, path, unknown)
    return
  }
  for (const [field, one] of Object.entries(value)) {
    const own = path === "" ? field : `${path}.${field}`
    const next = Object.hasOwn(known, field) ? known[field] : undefined
    if (next === undefined) unknown.add(own)
    else addUnknown(one, next, own, unknown)
  }
}

/** Fields without fields of their own. */
export function plain<Name extends string>(...names: readonly Name[]): Record<Name, Record<string, never>> {
  return Object.fromEntries(names.map((name) => [name, {}])) as Record<Name, Record<string, never>>
}

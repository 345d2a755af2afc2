import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"
import type { Json } from "../model/blocks.js"

/** The fields that were looked at: those of objects, also in lists, by their names. What is `true` can have any. */
export type KnownFields = true | { readonly [field: string]: KnownFields }

/** Documents of JSON, and the fields in them that were looked at. */
export type CheckedFields = readonly [documents: () => AsyncIterable<unknown>, known: KnownFields]

/** The fields in documents that are not known yet, with their paths. */
export async function unknownFields([documents, known]: CheckedFields): Promise<Set<string>> {
  const unknown = new Set<string>()
  for await (const document of documents()) addUnknown(document, known, "", unknown)
  return unknown
}

/** The documents in the JSON files of a folder, or their lines. @param pattern of the files' paths in it */
export function documentsIn(folder: string, pattern: RegExp): () => AsyncIterable<unknown> {
  return async function* () {
    for (const name of await readdir(folder, { recursive: true })) {
      if (!pattern.test(name)) continue
      const text = await readFile(join(folder, name), "utf8")
      if (!name.endsWith(".jsonl")) yield JSON.parse(text)
      else for (const line of text.split("\n")) if (line !== "") yield JSON.parse(line)
    }
  }
}

/** Records below their kinds: those of kinds that are not known are kept as they are, or not read, and have any fields. */
export function byKind(
  documents: () => AsyncIterable<unknown>,
  kindOf: (record: Json) => unknown,
  known: Readonly<Record<string, KnownFields>>,
): CheckedFields {
  const records = async function* () {
    for await (const document of documents()) {
      const kind = String(kindOf(document as Json))
      if (Object.hasOwn(known, kind)) yield { [kind]: document }
    }
  }
  return [records, known]
}

/** The rows of tables in a database, each as the field that its table names; columns with JSON as what they have. */
export function rowsIn(file: string, tables: readonly string[]): () => AsyncIterable<unknown> {
  return async function* () {
    const db = (await loadDriver()).open(file)
    try {
      for (const table of tables)
        for (const row of db.prepare(`SELECT * FROM ${table}`).all<Record<string, unknown>>())
          yield { [table]: Object.fromEntries(Object.entries(row).map(([name, value]) => [name, parsed(value)])) }
    } finally {
      db.close()
    }
  }
}

function parsed(value: unknown): unknown {
  return typeof value === "string" && /^[[{]/.test(value) ? JSON.parse(value) : value
}

function addUnknown(value: unknown, known: KnownFields, path: string, unknown: Set<string>): void {
  // What is packed has no fields.
  if (known === true || typeof value !== "object" || value === null || value instanceof Uint8Array) return
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

/** Fields without fields of their own, by names or a text of names. */
export function plain(...names: readonly string[]): Record<string, Record<string, never>> {
  return Object.fromEntries(names.flatMap((name) => name.trim().split(/\s+/)).map((name) => [name, {}]))
}

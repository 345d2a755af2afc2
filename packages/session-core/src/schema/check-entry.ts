import { en } from "zod/v4/locales"
import type { SessionEntry } from "../entry/entry.js"
import { entrySchema } from "./entry-schemas.js"

/** One thing that is not as FORMAT.md, section 2, has it. */
export interface EntryIssue {
  /** The way to the field, from the entry: keys, and indexes of arrays. */
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** An entry, or what is wrong with the value. */
export type EntryCheck =
  | { readonly ok: true; readonly entry: SessionEntry }
  | { readonly ok: false; readonly issues: readonly EntryIssue[] }

const { localeError } = /*@__PURE__*/ en()

/**
 * Holds a value against the schema of its type (FORMAT.md, section 2). Unknown types and fields pass. The entry is the very
 * value that was given, so nothing is lost and the order of its keys is kept. Readers are more forgiving than this: they take
 * what issues are found in, and make the best of it.
 */
export function checkEntry(value: unknown): EntryCheck {
  const { success, error } = entrySchema.safeParse(value, { error: localeError })
  if (success) return { ok: true, entry: value as SessionEntry }
  const issues = error.issues.map(({ path, message }) => ({ path: path.map(keyOf), message }))
  return { ok: false, issues }
}

/** JSON has no symbols for keys, but a type of zod's does. */
function keyOf(key: PropertyKey): string | number {
  return typeof key === "symbol" ? String(key) : key
}

import { en } from "zod/v4/locales"
import type { SessionEntry } from "../entry/entry.js"
import { entrySchema } from "./entry-schemas.js"

/** A deviation from FORMAT.md, section 2. */
export interface EntryIssue {
  /** The path to the field within the entry: keys and array indexes. */
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** The result of `checkEntry`: the entry, or the issues of the value. */
export type EntryCheck =
  | { readonly ok: true; readonly entry: SessionEntry }
  | { readonly ok: false; readonly issues: readonly EntryIssue[] }

const { localeError } = /*@__PURE__*/ en()

/**
 * Checks a value against the schema of its type (FORMAT.md, section 2). Unknown types and fields are allowed. The returned entry is
 * the value itself, so that no fields and no order of keys are lost. Readers are more tolerant: they also accept entries with
 * issues.
 */
export function checkEntry(value: unknown): EntryCheck {
  const { success, error } = entrySchema.safeParse(value, { error: localeError })
  if (success) return { ok: true, entry: value as SessionEntry }
  // zod's type of keys includes symbols, which JSON does not have.
  return {
    ok: false,
    issues: error.issues.map(({ path, message }) => ({ path: path as (string | number)[], message })),
  }
}

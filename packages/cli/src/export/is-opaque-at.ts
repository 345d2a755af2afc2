import type { SecretFinding } from "@treelog/secrets"

/** Whether what was found is a part of something that stays on purpose. */
export function isOpaqueAt(
  json: string,
  { start, end }: SecretFinding,
  opaque: ReadonlySet<string> = new Set(),
): boolean {
  for (const text of opaque) {
    const written = JSON.stringify(text).slice(1, -1)
    for (let at = json.indexOf(written); at !== -1 && at <= start; at = json.indexOf(written, at + 1))
      if (end <= at + written.length) return true
  }
  return false
}

import type { SumRow } from "../source/sessions-client.js"

const COUNTS = ["calls", "input", "output", "cacheRead", "cacheWrite", "totalTokens"] as const

/** The address of rows as a file of comma-separated values (RFC 4180). An estimate of calls without a price is empty. */
export function csvAddress(rows: readonly SumRow[], by: string): string {
  const lines = [[by, ...COUNTS, "reported", "estimated", "unpricedTokens"].join(",")]
  for (const { key, session, totals, cost } of rows) {
    const counts = COUNTS.map((count) => totals[count])
    const { reported, estimated, unpriced } = cost
    const estimate = unpriced.tokens > 0 ? estimated || "" : estimated
    lines.push([csvText(session?.name || key), ...counts, reported, estimate, unpriced.tokens].join(","))
  }
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`${lines.join("\r\n")}\r\n`)}`
}

/** What begins as a formula is quoted as text, so that no spreadsheet computes it. */
function csvText(text: string): string {
  // Half of a surrogate pair cannot be encoded.
  const whole = text.replace(/\p{Surrogate}/gu, "\ufffd")
  const safe = /^[=+\-@\t\r]/.test(whole) ? `'${whole}` : whole
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

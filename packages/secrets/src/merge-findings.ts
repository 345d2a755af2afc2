import type { SecretFinding } from "./secret-finding.js"

/** Sorts findings and merges those that overlap. The kind is that of the first one, or of the longer one if both start together. */
export function mergeFindings(findings: readonly SecretFinding[]): SecretFinding[] {
  const merged: SecretFinding[] = []
  for (const finding of [...findings].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (!last || finding.start >= last.end) merged.push(finding)
    else if (finding.end > last.end) merged[merged.length - 1] = { ...last, end: finding.end }
  }
  return merged
}

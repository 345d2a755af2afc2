/** A table in Markdown. The first `texts` columns are text, the others numbers, which stand on the right. */
export function markdownTable(columns: readonly string[], texts: number, rows: readonly (readonly string[])[]): string {
  const marks = columns.map((_, index) => (index < texts ? "---" : "--:"))
  return [columns, marks, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("")
}

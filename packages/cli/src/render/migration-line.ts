import { basename } from "node:path"
import type { MigrationReport } from "@treelog/session-core/adapter"
import { cleanLine } from "./clean-text.js"
import { plural } from "./plural.js"
import type { Style } from "./style.js"

/** `path 1 → 3 12 entries changed, kept as session.jsonl.v1.bak` */
export function migrationLine(
  path: string,
  { report, backup }: { report: MigrationReport; backup: string | undefined },
  { paint, glyphs }: Style,
): string {
  const versions = `${report.from} ${glyphs.call} ${report.to}`
  const kept = backup === undefined ? "" : `, kept as ${cleanLine(basename(backup))}`
  return `${cleanLine(path)} ${paint("green", versions)} ${plural(changedEntries(report), "entry", "entries")} changed${kept}`
}

/** The first step changes every entry, and the last one few, so what one step changes the others changed too. */
export function changedEntries(report: MigrationReport | undefined): number {
  return Math.max(0, ...(report?.steps ?? []).map(({ changed }) => changed))
}

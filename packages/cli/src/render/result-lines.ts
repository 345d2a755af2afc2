import { basename } from "node:path"
import { type Diagnostic, isDamage, type SessionInfo } from "@treelog/session-core"
import type { migrate } from "@treelog/session-core/adapter"
import type { repairSession } from "@treelog/session-core/maintenance"
import { cleanLine, folderLine, plural, type Style } from "@treelog-internal/text"

/** `path:line:offset kind message`, the place being that before the repair. */
export function changeLine(
  path: string,
  { line, offset, kind, message }: Awaited<ReturnType<typeof repairSession>>["changes"][number],
  { paint }: Style,
): string {
  return `${[path, line, offset].map(cleanLine).join(":")} ${paint("green", kind)} ${cleanLine(message)}`
}

/** `path:line:offset kind message`, as much of the place as there is; editors and grep know the form. */
export function diagnosticLine(path: string, diagnostic: Diagnostic, { paint }: Style): string {
  const { kind, line, offset, message } = diagnostic
  const place = [path, line, offset].filter((part) => part !== undefined).map(cleanLine)
  return `${place.join(":")} ${paint(isDamage(diagnostic) ? "red" : "yellow", kind)} ${cleanLine(message)}`
}

type MigrationReport = NonNullable<ReturnType<typeof migrate>["report"]>

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

/** `path  ~/old → ~/new`. */
export function relocationLine(
  { path, cwd }: SessionInfo,
  to: string,
  { paint, glyphs }: Style,
  home: string | undefined,
): string {
  return `${cleanLine(path)}  ${paint("dim", folderLine(cwd, home))} ${glyphs.call} ${folderLine(to, home)}`
}

/** A message beside the path that it is about: `The database is locked`, `the file is no session`. */
export function withoutPath(message: string, path: string): string {
  // What names a session otherwise, such as an id, stays in the sentence.
  if (!/[/\\]/.test(path)) return message
  return message
    .replaceAll(`'${path}'`, path)
    .split(path)
    .reduce((before, after) => {
      // A longer path, such as that of the log beside a database.
      if (/^(?:[-/\w]|\.\w)/.test(after)) return before + path + after
      return before.trimEnd() + (/\bthe \w+ $/i.test(before) ? "" : `${before && " "}the file`) + after
    })
}

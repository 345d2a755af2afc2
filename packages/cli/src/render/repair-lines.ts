import { isDamage, type RepairReport } from "@treelog/session-core"
import { cleanLine } from "./clean-text.js"
import { diagnosticLine } from "./diagnostic-line.js"
import type { Style } from "./style.js"

/** Each change as `path:line:offset kind message`, places being those before it; then what is still broken, with its place afterwards. */
export function repairLines({ path, changes, after }: RepairReport, style: Style): string[] {
  return [
    ...changes.map(
      ({ line, offset, kind, message }) =>
        `${[path, line, offset].map(cleanLine).join(":")} ${style.paint("green", kind)} ${cleanLine(message)}`,
    ),
    ...after.diagnostics.filter(isDamage).map((diagnostic) => diagnosticLine(path, diagnostic, style)),
  ]
}

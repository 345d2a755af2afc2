import { type Diagnostic, isDamage } from "@treelog/session-core"
import { cleanLine } from "./clean-text.js"
import type { Style } from "./style.js"

/** `path:line:offset kind message`, as much of the place as there is; editors and grep know the form. */
export function diagnosticLine(path: string, diagnostic: Diagnostic, { paint }: Style): string {
  const { kind, line, offset, message } = diagnostic
  const place = [path, line, offset].filter((part) => part !== undefined).map(cleanLine)
  return `${place.join(":")} ${paint(isDamage(diagnostic) ? "red" : "yellow", kind)} ${cleanLine(message)}`
}

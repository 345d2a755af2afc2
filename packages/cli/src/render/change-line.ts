import type { RepairChange } from "@treelog/session-core"
import { cleanLine } from "./clean-text.js"
import type { Style } from "./style.js"

/** `path:line:offset kind message`, the place being that before the repair. */
export function changeLine(path: string, { line, offset, kind, message }: RepairChange, { paint }: Style): string {
  return `${[path, line, offset].map(cleanLine).join(":")} ${paint("green", kind)} ${cleanLine(message)}`
}

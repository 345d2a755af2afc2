import type { ContextShare } from "@treelog/session-core/compaction"
import { cleanLine } from "./clean-text.js"

/** `results of bash`, `thinking`. */
export function contextShareText({ part, tool }: Pick<ContextShare, "part" | "tool">): string {
  return tool === undefined ? part : `${part} of ${cleanLine(tool)}`
}

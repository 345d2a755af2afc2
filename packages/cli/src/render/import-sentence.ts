import type { PromptImportReport } from "@treelog/session-core"
import { plural } from "./plural.js"

/** `3 prompts: 2 added, 1 known`. */
export function importSentence({ read, added, known, ignored, deleted }: PromptImportReport): string {
  const parts = [
    `${added.toLocaleString("en-US")} added`,
    known > 0 ? `${known.toLocaleString("en-US")} known` : "",
    ignored > 0 ? `${ignored.toLocaleString("en-US")} ignored (empty, like a secret, or by --ignore)` : "",
    deleted > 0 ? `${deleted.toLocaleString("en-US")} deleted before` : "",
  ].filter(Boolean)
  return `${plural(read, "prompt")}: ${parts.join(", ")}`
}

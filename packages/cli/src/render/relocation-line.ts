import type { SessionInfo } from "@treelog/session-core"
import { cleanLine } from "./clean-text.js"
import { folderName } from "./folder-name.js"
import type { Style } from "./style.js"

/** `path  ~/old → ~/new`. */
export function relocationLine(
  { path, cwd }: SessionInfo,
  to: string,
  { paint, glyphs }: Style,
  home: string | undefined,
): string {
  return `${cleanLine(path)}  ${paint("dim", folderName(cwd, home))} ${glyphs.call} ${folderName(to, home)}`
}

import type { Failure } from "../sessions/stored-keys.js"
import { cleanLine } from "./clean-text.js"
import type { Style } from "./style.js"

/** `path code message`: what could not be dealt with, as a row among the others. */
export function failureLine({ path, error }: Failure, { paint }: Style): string {
  return `${cleanLine(path)} ${paint("red", cleanLine(error.code))} ${cleanLine(error.message.replaceAll(path, "the file"))}`
}

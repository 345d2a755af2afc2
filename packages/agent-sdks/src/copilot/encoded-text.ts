import { TreelogError } from "@treelog/session-core"

/** @throws InvalidArgumentError for half of a surrogate pair, which UTF-8 cannot store */
export function encodedText(content: string): Uint8Array {
  const at = content.search(/\p{Cs}/u)
  if (at === -1) return new TextEncoder().encode(content)
  const message = `The content has half of a surrogate pair at ${at}: nothing was stored. Pass whole characters.`
  throw new TreelogError("InvalidArgumentError", message, { argument: "content", value: content.slice(at, at + 1) })
}

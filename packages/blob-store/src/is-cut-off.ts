import { parsedJson } from "@treelog/session-core/json"

/** What can end a string that was cut anywhere, in the middle of an escape too: as a value, or as a key. */
const STRING_ENDS = ["", "\\", "u0000", "0000", "000", "00", "0"].flatMap((rest) => [`${rest}"`, `${rest}":0`])
/** What can follow where no string is open: nothing, a member, its value, and the rest of a word or a number. */
const OTHER_ENDS = ["", '"":0', ":0", "0", "+0", "rue", "ue", "e", "alse", "lse", "se", "ull", "ll", "l"]

/**
 * Whether a text is the beginning of a JSON object, and nothing else: what a writer leaves that dies in the middle of a line.
 * A whole object is not, and neither is what could not become one, whatever followed.
 */
export function isCutOff(text: string): boolean {
  const { open, inString } = scan(text)
  if (text.trimStart()[0] !== "{" || (open.length === 0 && !inString)) return false
  const closers = open.reverse().join("")
  return (inString ? STRING_ENDS : OTHER_ENDS).some((end) => parsedJson(text + end + closers) !== undefined)
}

/** What is open at the end of the text: the closers of objects and lists, and whether it ends within a string. */
function scan(text: string): { open: string[]; inString: boolean } {
  const open: string[] = []
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (inString && char === "\\") at += 1
    else if (char === '"') inString = !inString
    else if (inString) continue
    else if (char === "{" || char === "[") open.push(char === "{" ? "}" : "]")
    else if (char === "}" || char === "]") open.pop()
  }
  return { open, inString }
}

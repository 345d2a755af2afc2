/** The decoded parts of a path that begins with `/`. A part that is not encoded correctly is empty. */
export function namesIn(path: string): string[] {
  return path.slice(1).split("/").map(nameIn)
}

/** A decoded part of a path; empty if it is not encoded correctly. */
export function nameIn(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return ""
    throw error
  }
}

/** A part of a path. Empty if it is not encoded correctly. */
export function nameIn(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return ""
    throw error
  }
}

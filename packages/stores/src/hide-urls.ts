/** The text up to its first URL, with the scheme of that: the rest may contain a password, which no message repeats. */
export function hideUrls(text: string): string {
  return text.replace(/:\/\/.*/s, "://…")
}

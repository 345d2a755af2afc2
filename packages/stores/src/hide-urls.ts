/**
 * A text without what may be a password of an address in it, for messages: up to its first URL, also one with a slash too few; without what
 * stands before an `@`, and without the values of parameters that are named for passwords.
 */
export function hideUrls(text: string): string {
  return text
    .replace(/(?<=[a-z][a-z0-9+.-]):\/.*/is, "://…")
    .replace(/[^\s/@:]*:[^\s@]*@/g, "…@")
    .replace(/(?<=(?:pass(?:word|wd|phrase)?|pwd)=)\S+/gi, "…")
}

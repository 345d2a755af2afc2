/** Quotes a token for FTS5, so that nothing in it is syntax. */
export function quoteToken(token: string): string {
  return `"${token.replaceAll('"', '""')}"`
}

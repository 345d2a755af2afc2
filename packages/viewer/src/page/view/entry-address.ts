/** The URL fragment of an entry. Lone surrogates, which a damaged id may contain, cannot be encoded. */
export function entryAddress(id: string): string {
  return `#${encodeURIComponent(id.replace(/\p{Surrogate}/gu, "\ufffd"))}`
}

/** The id in the URL of the page. */
export function addressedId(): string | undefined {
  const hash = location.hash.slice(1)
  if (hash === "") return undefined
  try {
    return decodeURIComponent(hash)
  } catch (error) {
    // The URL was typed and is not valid.
    if (error instanceof URIError) return hash
    throw error
  }
}

/** The part of the page's address that names an entry. Half a surrogate pair, as a damaged id may hold, cannot stand in one. */
export function entryAddress(id: string): string {
  return `#${encodeURIComponent(id.replace(/\p{Surrogate}/gu, "\ufffd"))}`
}

/** The id in the address of the page. */
export function addressedId(): string | undefined {
  const hash = location.hash.slice(1)
  if (hash === "") return undefined
  try {
    return decodeURIComponent(hash)
  } catch (error) {
    // Somebody wrote it by hand.
    if (error instanceof URIError) return hash
    throw error
  }
}

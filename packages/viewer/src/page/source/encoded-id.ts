/** An id as a part of an address. Lone surrogates, which a damaged id may contain, cannot be encoded. */
export function encodedId(id: string): string {
  return encodeURIComponent(id.replace(/\p{Surrogate}/gu, "\ufffd"))
}

/** An id as a part of a path, where `.` and `..` mean folders, however they are written: no session and no sub-agent is found by those. */
export function idInPath(id: string): string {
  return encodedId(/^\.{1,2}$/.test(id) ? "\ufffd" : id)
}

/**
 * Generates ids for entries without one: 8 hex digits derived from the session id and a counter, all different. The same session
 * always gets the same ids. FNV-1a with a final mix: the ids must be well distributed, not secret.
 */
export function migrationIds(sessionId: string): () => string {
  const used = new Set<string>()
  let counter = 0
  return () => {
    for (;;) {
      const id = hash(`${sessionId}:${counter++}`).toString(16).padStart(8, "0")
      if (used.has(id)) continue
      used.add(id)
      return id
    }
  }
}

function hash(text: string): number {
  let hashed = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hashed = Math.imul(hashed ^ text.charCodeAt(index), 0x01000193)
  }
  hashed = Math.imul(hashed ^ (hashed >>> 16), 0x85ebca6b)
  hashed = Math.imul(hashed ^ (hashed >>> 13), 0xc2b2ae35)
  return (hashed ^ (hashed >>> 16)) >>> 0
}

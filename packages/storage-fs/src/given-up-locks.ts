// A process that cannot remove its lock, because the disk fails, still lives: nobody would ever take the lock over from it. So
// it remembers which of its locks it has given up, and counts them as those of a dead owner. No token comes twice, so one that
// was given up is never that of another lock.

const tokens = new Set<string>()

/** Whoever asks next in this process can have what the token's locks stand for. */
export function giveUpLocks(token: string): void {
  tokens.add(token)
}

export function isGivenUp(token: string): boolean {
  return tokens.has(token)
}

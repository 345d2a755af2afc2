import { browser } from "./platform.js"

// A Web Lock is shared by all tabs and workers of an origin, and is released when its holder ends. It does not record since when it
// is held: each holder therefore has a second lock whose name contains the time.

/** Releases a held lock. */
export type Release = () => Promise<void>

/** Takes the lock of a key. Undefined when another still holds it after `waitMs`. */
export async function takeLock(
  database: string,
  key: string,
  { waitMs, now }: { waitMs: number; now: () => number },
): Promise<Release | undefined> {
  const release = await (waitMs > 0 ? hold(nameOf(database, key), within(waitMs)) : hold(nameOf(database, key)))
  if (!release) return undefined
  const since = await hold(nameOf(database, key, new Date(now()).toISOString()))
  return async () => {
    await since?.()
    await release()
  }
}

/** Since when a key is held, ISO 8601; undefined when it is free. */
export async function heldSince(database: string, key: string): Promise<string | undefined> {
  const { held } = await browser().navigator.locks.query()
  for (const { name } of held) {
    const since = sinceIn(name)
    if (since !== undefined && name === nameOf(database, key, since)) return since
  }
  return undefined
}

function nameOf(database: string, key: string, since?: string): string {
  return JSON.stringify(["treelog", database, key, ...(since === undefined ? [] : [since])])
}

/** The time in the name of a lock; undefined for locks of other code of the origin. */
function sinceIn(name: string): string | undefined {
  return /^\["treelog",.*,"([^"]*)"\]$/s.exec(name)?.[1]
}

/** A timer that can be stopped. */
interface Wait {
  readonly signal: unknown
  end(): void
}

function within(waitMs: number): Wait {
  const here = browser()
  const controller = new here.AbortController()
  const timer = here.setTimeout(() => controller.abort(), Math.min(waitMs, 2 ** 31 - 1))
  return { signal: controller.signal, end: () => here.clearTimeout(timer) }
}

async function hold(name: string, wait?: Wait): Promise<Release | undefined> {
  const { locks } = browser().navigator
  let free = () => {}
  const until = new Promise<void>((resolve) => (free = resolve))
  let ended: Promise<unknown> = Promise.resolve()
  const isHeld = await new Promise<boolean>((resolve, reject) => {
    ended = locks.request(name, wait ? { signal: wait.signal } : { ifAvailable: true }, async (lock) => {
      resolve(lock !== null)
      if (lock !== null) await until
    })
    ended.catch((error: unknown) => (isAbort(error) ? resolve(false) : reject(error)))
  })
  wait?.end()
  if (!isHeld) return undefined
  return async () => {
    free()
    await ended
  }
}

function isAbort(error: unknown): boolean {
  return typeof error === "object" && error !== null && "name" in error && error.name === "AbortError"
}

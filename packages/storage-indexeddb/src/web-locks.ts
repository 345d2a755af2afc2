type Release = () => Promise<void>

// A Web Lock is shared by all tabs and workers of an origin, and is released when its holder ends. It does not record since when it
// is held: each holder therefore has a second lock whose name contains the time.

/** Takes the lock of a key. Undefined when another still holds it after `waitMs`. */
export async function takeLock(
  database: string,
  key: string,
  { waitMs, now }: { waitMs: number; now: () => number },
): Promise<Release | undefined> {
  const release = await hold(lockName(database, key), waitMs)
  if (!release) return undefined
  const since = await hold(lockName(database, key, new Date(now()).toISOString()), 0)
  return async () => {
    await since?.()
    await release()
  }
}

/** Since when a key is held, ISO 8601; undefined when it is free. */
export async function heldSince(database: string, key: string): Promise<string | undefined> {
  const prefix = lockName(database, key, "").slice(0, -2)
  const { held = [] } = await navigator.locks.query()
  const names = held.map(({ name = "" }) => name)
  return names.find((name) => name.startsWith(prefix))?.slice(prefix.length, -2)
}

function lockName(...parts: string[]): string {
  return JSON.stringify(["treelog", ...parts])
}

async function hold(name: string, waitMs: number): Promise<Release | undefined> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), Math.min(waitMs, 2 ** 31 - 1))
  let free = () => {}
  const until = new Promise<void>((resolve) => (free = resolve))
  let ended: Promise<unknown> = Promise.resolve()
  const isHeld = await new Promise<boolean>((resolve, reject) => {
    const options = waitMs > 0 ? { signal: controller.signal } : { ifAvailable: true }
    ended = navigator.locks.request(name, options, async (lock) => {
      resolve(lock !== null)
      if (lock !== null) await until
    })
    ended.catch((error: unknown) => (controller.signal.aborted ? resolve(false) : reject(error)))
  })
  clearTimeout(timer)
  if (!isHeld) return undefined
  return async () => {
    free()
    await ended
  }
}

import { webDigest } from "@treelog/session-core/adapter"
import { type ListedObject, listObjects } from "./list-objects.js"
import type { S3Client } from "./s3-client.js"
import { s3Error } from "./s3-error.js"

// The times on which sweeps and puts of all machines rely; sweep.ts has the argument.

/** The markers of running sweeps are below this name. */
const MARKERS = ".sweep/"

/** From the check of an object's age, a sweep takes at most this long to remove it. Milliseconds. */
export const WINDOW_MS = 15_000

/** A marker that was not renewed for this long is that of a sweep that was killed. Milliseconds. */
const LAPSE_MS = 600_000

/** When a sweep renews its marker. Milliseconds. */
const RENEW_MS = 120_000

/** Also one whose age is not known. */
const isLive = ({ age }: ListedObject) => !(age >= LAPSE_MS)

async function listMarkers(client: S3Client, operation: string): Promise<ListedObject[]> {
  const markers: ListedObject[] = []
  for await (const marker of listObjects(client, MARKERS, operation)) markers.push(marker)
  return markers
}

/**
 * Whether no sweep can remove an object that was written since `sinceWriting` was started. If false, one may remove it within `WINDOW_MS`; what
 * is there after that stays.
 */
export async function isSafeFromSweeps(client: S3Client, sinceWriting: () => number): Promise<boolean> {
  const markers = await listMarkers(client, "put")
  return !markers.some(isLive) && sinceWriting() < WINDOW_MS
}

/** The marker of one sweep. */
export class SweepMarker {
  readonly #client: S3Client
  readonly #id = crypto.randomUUID()
  #sinceRenewal: (() => number) | undefined
  #renewing: Promise<void> | undefined

  constructor(client: S3Client) {
    this.#client = client
  }

  /** Writes the marker unless it is recent. @throws StorageError whose `errno` is `SweepRunning` */
  async renew(): Promise<void> {
    if (this.#sinceRenewal !== undefined && this.#sinceRenewal() < RENEW_MS) return
    this.#renewing ??= this.#write().finally(() => {
      this.#renewing = undefined
    })
    await this.#renewing
  }

  async remove(id: string = this.#id): Promise<void> {
    await this.#client.send({ ...markerOf(id), method: "DELETE", accept: [200, 204, 404] })
  }

  /** Of two sweeps that start at the same time, one continues, or none: each lists the markers after it has written its own. */
  async #write(): Promise<void> {
    const bytes = new TextEncoder().encode("A sweep of treelog is running.\n")
    const body = { bytes, hash: await webDigest.sha256(bytes) }
    const sinceRenewal = this.#client.timer.start()
    await this.#client.send({ ...markerOf(this.#id), method: "PUT", body })
    const others = (await listMarkers(this.#client, "sweep")).filter(({ name }) => name !== this.#id)
    for (const lapsed of others) if (!isLive(lapsed)) await this.remove(lapsed.name)
    const other = others.find(isLive)
    if (other !== undefined) {
      await this.remove()
      const since = new Date(other.modified).toISOString()
      const reason = `SweepRunning: another sweep was running at ${since}. Wait for it. If it was killed, sweep again ${LAPSE_MS / 60_000} minutes after that time.`
      throw s3Error(this.#client.address, { operation: "sweep", name: "" }, "SweepRunning", reason)
    }
    this.#sinceRenewal = sinceRenewal
  }
}

const markerOf = (id: string) => ({ operation: "sweep", name: `${MARKERS}${id}` })

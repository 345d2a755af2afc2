import { TreelogError } from "@treelog/session-core"
import { listObjects } from "./list-objects.js"
import type { S3Client } from "./s3-client.js"
import { s3Error } from "./s3-error.js"
import { statObject } from "./stat-object.js"
import { SweepMarker, WINDOW_MS } from "./sweep-marker.js"

// Why no sweep removes a blob that a put has just reported as stored, although S3 cannot delete an object on condition of its age
// (docs/decisions/0019-a-sweep-of-a-bucket-leaves-a-marker.md).
//
// A sweep first writes a marker, and only one sweep runs at a time. For each blob it checks the age, and removes an old one within
// WINDOW_MS of that check, or checks again. A removal is repeated only after another check. At the end, the marker stays for another
// WINDOW_MS.
//
// A put that creates the object is safe: whatever the sweep removes, it removed before. A put that finds the object makes it young, and
// then lists the markers, within WINDOW_MS of having started. If a sweep removes the object after that, it checked the age before the object
// became young, so that its marker was written before, and is still there when the put lists them. When there is a marker, the put waits
// for WINDOW_MS, by when that removal has happened, checks whether the object is there, and creates it again if not.
//
// This needs a store whose lists and reads are consistent, and that carries out or drops a removal within seconds of its connection being
// closed. A sweep that is killed leaves its marker, which lapses, and has removed some of what it would have.

/** Removals at a time. */
const WORKERS = 8

/** A removal is sent at most this long after the check of the age, and may take as long as DELETE_MS; together less than WINDOW_MS. */
const CHECK_MS = 5_000
const DELETE_MS = 8_000

const ATTEMPTS = 5

/** What a sweep removes. */
export interface SweepOptions {
  /**
   * Returns the hashes of all blobs that are in use, of every session that uses the bucket and prefix: for files, `blobsNamedIn` of
   * `@treelog/blob-store`. Called before the blobs are listed, and again before they are removed.
   */
  readonly referenced: () => ReadonlySet<string> | Promise<ReadonlySet<string>>
  /**
   * Blobs that were stored within this time stay. Milliseconds, a day by default: it covers the time from a blob to the line that names it,
   * and that from `referenced` to the removal. Use less than a minute only where no program writes.
   */
  readonly graceMs?: number | undefined
  /** Without it, the report says what would be done, and nothing is done. */
  readonly apply?: boolean | undefined
  /** Stops the sweep between two removals. */
  readonly signal?: AbortSignal | undefined
}

/** A number of blobs, and their bytes. */
export interface BlobTally {
  readonly count: number
  readonly bytes: number
}

/** What a sweep did, or would do. */
export interface SweepReport {
  /** False for a dry run: then `swept` is what would be removed. */
  readonly applied: boolean
  /** The blobs that are referenced. */
  readonly kept: BlobTally
  /** Those that are not referenced, but were stored a short time ago. */
  readonly withinGrace: BlobTally
  /** Those that were removed. */
  readonly swept: BlobTally & { readonly hashes: readonly string[] }
}

interface Candidate {
  readonly hash: string
  readonly size: number
}

/** @throws InvalidArgumentError, StorageError; the reason of the signal */
export async function sweepBlobs(client: S3Client, options: SweepOptions): Promise<SweepReport> {
  const { graceMs = 86_400_000, signal } = options
  if (!(graceMs >= 0)) throw invalidSweepOption("graceMs", graceMs, "is a number of milliseconds, from 0 on")
  signal?.throwIfAborted()
  const { kept, young, old } = await plan(client, options, graceMs)
  if (!options.apply || old.length === 0) return report(options.apply === true, kept, young, old)
  const { removed, renewed } = await removeAll(client, old, { ...options, graceMs })
  return report(true, kept, [...young, ...renewed], removed)
}

async function plan(client: S3Client, { referenced, signal }: SweepOptions, graceMs: number) {
  const [kept, young, old]: [Candidate[], Candidate[], Candidate[]] = [[], [], []]
  const used = await referenced()
  for await (const { name: hash, size, age } of listObjects(client, "", "sweep")) {
    signal?.throwIfAborted()
    if (!/^[0-9a-f]{64}$/.test(hash)) continue
    if (Number.isNaN(age)) throw withoutTime(client)
    const group = used.has(hash) ? kept : age > graceMs ? old : young
    group.push({ hash, size })
  }
  if (old.length > 0) assertSome(used)
  return { kept, young, old }
}

/** What is not mounted, or not connected, has no sessions either. */
function assertSome(used: ReadonlySet<string>): void {
  if (used.size > 0) return
  throw invalidSweepOption(
    "referenced",
    [],
    "returned no hash at all, as if there were no sessions, and nothing was removed",
  )
}

async function removeAll(
  client: S3Client,
  old: readonly Candidate[],
  { referenced, graceMs, signal }: SweepOptions & { readonly graceMs: number },
) {
  const removed: Candidate[] = []
  const renewed: Candidate[] = []
  const marker = new SweepMarker(client)
  await marker.renew()
  try {
    const used = await referenced()
    assertSome(used)
    const queue = old.filter(({ hash }) => !used.has(hash)).values()
    const work = async () => {
      for (const blob of queue) {
        signal?.throwIfAborted()
        const group = (await removeIfOld(client, marker, blob.hash, graceMs)) ? removed : renewed
        group.push(blob)
      }
    }
    await allDone(Array.from({ length: WORKERS }, work))
  } finally {
    await client.timer.sleep(WINDOW_MS)
    await marker.remove()
  }
  return { removed, renewed }
}

/** Whether the blob is gone; false when it was stored again meanwhile. */
async function removeIfOld(client: S3Client, marker: SweepMarker, hash: string, graceMs: number): Promise<boolean> {
  const purpose = { operation: "sweep", name: hash }
  for (let attempt = 1; ; attempt++) {
    await marker.renew()
    const sinceCheck = client.timer.start()
    const stat = await statObject(client, purpose)
    if (stat === undefined) return true
    if (!(stat.age > graceMs)) return false
    const error = await client.remove(purpose, DELETE_MS, () => sinceCheck() <= CHECK_MS)
    if (error === undefined) return true
    if (attempt === ATTEMPTS) throw error
    // It may still be carried out, and must not be when the next check has found the object.
    await client.timer.sleep(WINDOW_MS)
  }
}

function withoutTime({ address }: S3Client) {
  const reason =
    "UnexpectedAnswer: the answers have no `Date`, so that the age of blobs is not known. A proxy may remove it."
  return s3Error(address, { operation: "sweep", name: "" }, "UnexpectedAnswer", reason)
}

/** Waits for all, so that nothing is removed once it has failed; then fails with the first error. */
async function allDone(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((outcome) => outcome.status === "rejected")
  if (failed) throw failed.reason
}

function report(applied: boolean, kept: Candidate[], young: Candidate[], swept: Candidate[]): SweepReport {
  const hashes = swept.map(({ hash }) => hash)
  return { applied, kept: tallyOf(kept), withinGrace: tallyOf(young), swept: { ...tallyOf(swept), hashes } }
}

function tallyOf(blobs: readonly Candidate[]): BlobTally {
  return { count: blobs.length, bytes: blobs.reduce((sum, { size }) => sum + size, 0) }
}

function invalidSweepOption(argument: string, value: unknown, claim: string): TreelogError<"InvalidArgumentError"> {
  return new TreelogError("InvalidArgumentError", `${argument} ${claim}.`, { argument, value })
}

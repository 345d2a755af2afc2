import { type S3Client, timeOf } from "./s3-client.js"
import { type S3Operation, s3Error } from "./s3-error.js"

/** What the store reports about an object. */
export interface ObjectStat {
  /** Bytes. */
  readonly size: number
  /** How long ago it was written, by the clock of the store. Milliseconds; NaN if the store does not report it. */
  readonly age: number
}

/**
 * Undefined when there is no such object. An answer to HEAD has no body and so no code: whether the object or the bucket is
 * missing, or why the store refuses, is learned by reading the first byte.
 * @throws StorageError
 */
export async function statObject(client: S3Client, purpose: S3Operation): Promise<ObjectStat | undefined> {
  for (;;) {
    const head = await client.send({ ...purpose, method: "HEAD", accept: "final" })
    if (head.status === 200) {
      const size = Number(head.headers.get("content-length") ?? Number.NaN)
      if (Number.isNaN(size)) {
        const reason = "UnexpectedAnswer: it has no `Content-Length`. A proxy may remove it."
        throw s3Error(client.address, purpose, "UnexpectedAnswer", reason)
      }
      return { size, age: timeOf(head) - Date.parse(head.headers.get("last-modified") ?? "") }
    }
    if (head.status === 404 && client.isBucketKnown) return undefined
    const headers = { range: "bytes=0-0" }
    const read = await client.send({ ...purpose, method: "GET", headers, accept: [200, 206, 404, 416] })
    if (read.status !== 404) continue // It was created in between.
    if (client.codeOf(read) !== "NoSuchKey") throw client.error(purpose, read)
    client.isBucketKnown = true
    return undefined
  }
}

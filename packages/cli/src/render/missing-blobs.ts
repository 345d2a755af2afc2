/**
 * What to do where a session refers to blobs that are not found.
 * @param place where they were looked for: a folder, a bucket; undefined for a database without a place for blobs
 */
export function missingBlobsIn(what: "Blobs" | "Some blobs", place: string | undefined): string {
  if (place === undefined) return `${what} are missing; --blobs names where they are: a folder, or s3://bucket/prefix.`
  return `${what} are missing in ${place}; --blobs names another folder.`
}

// Blobs as objects of an S3 bucket.

export type { S3Credentials } from "./credentials.js"
export type { S3Location } from "./s3-address.js"
export { S3BlobStore } from "./s3-blob-store.js"
export type { S3BlobStoreOptions } from "./s3-client.js"
export { S3Objects } from "./s3-objects.js"
export type { BlobTally, SweepOptions, SweepReport } from "./sweep.js"
export type { S3Timer } from "./timer.js"

import { S3BlobStore, type S3BlobStoreOptions, S3Objects } from "@treelog/blob-store-s3"
import type { BucketAddress } from "@treelog/stores"
import { UsageError } from "../errors/exit-codes.js"
import type { Io } from "../io/io.js"

/**
 * Blobs in a bucket. Where it is and who may use it is in the variables that all programs for S3 have.
 * @throws UsageError where one is missing; InvalidArgumentError for one that is wrong
 */
export function bucketBlobs(env: Io["env"], address: BucketAddress): S3BlobStore {
  return new S3BlobStore(bucketOptions(env, address))
}

/** A place in a bucket for the copies of `keep`. @throws as `bucketBlobs` */
export function bucketObjects(env: Io["env"], address: BucketAddress): S3Objects {
  return new S3Objects(bucketOptions(env, address))
}

function bucketOptions(env: Io["env"], { bucket, prefix, name }: BucketAddress): S3BlobStoreOptions {
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || undefined
  const endpoint = env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || (region && `https://s3.${region}.amazonaws.com`)
  if (!endpoint)
    throw new UsageError(`${name} needs AWS_REGION, or AWS_ENDPOINT_URL_S3 for a store that is not Amazon's.`)
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = env
  if (!accessKeyId || !secretAccessKey)
    throw new UsageError(`${name} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.`)
  const credentials = { accessKeyId, secretAccessKey, ...(token && { sessionToken: token }) }
  return { endpoint, region, bucket, prefix, credentials }
}

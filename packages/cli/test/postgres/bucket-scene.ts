import { FakeS3, serveS3 } from "@treelog-internal/test-kit/s3"
import { afterAll, beforeAll } from "vitest"

/** A bucket on a port of this machine, for the tests of a file. */
export interface Bucket {
  readonly fake: FakeS3
  /** What a command needs to use it. */
  readonly env: () => Record<string, string>
}

export function bucketScene(): Bucket {
  const fake = new FakeS3()
  let served: Awaited<ReturnType<typeof serveS3>> | undefined
  beforeAll(async () => {
    served = await serveS3(fake)
  })
  afterAll(() => served?.stop())
  return {
    fake,
    env: () => ({
      AWS_ENDPOINT_URL_S3: served?.endpoint ?? "",
      AWS_ACCESS_KEY_ID: fake.accessKeyId,
      AWS_SECRET_ACCESS_KEY: fake.secretAccessKey,
    }),
  }
}

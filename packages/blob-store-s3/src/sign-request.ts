import { AwsV4Signer } from "aws4fetch"
import type { S3Credentials } from "./credentials.js"

/** A request before it is signed. Path and query are encoded already, by `encodeUri`. */
export interface UnsignedRequest {
  readonly method: string
  readonly url: URL
  /** Their names are in lower case. All of them are signed. */
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of the body, in hex. */
  readonly bodyHash: string
}

/** Who signs, for which region, and when. */
export interface Signer {
  readonly credentials: S3Credentials
  readonly region: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The headers of the request, with those that sign it. `host` is signed too; `fetch` sends it. */
export async function signRequest(request: UnsignedRequest, signer: Signer): Promise<Record<string, string>> {
  const { accessKeyId, secretAccessKey, sessionToken = "" } = signer.credentials
  const { headers } = await new AwsV4Signer({
    method: request.method,
    url: request.url.href,
    headers: { ...request.headers, "x-amz-content-sha256": request.bodyHash },
    accessKeyId,
    secretAccessKey,
    sessionToken,
    service: "s3",
    region: signer.region,
    datetime: new Date(signer.now).toISOString().replace(/[-:]|\.\d{3}/g, ""),
    allHeaders: true,
  }).sign()
  return Object.fromEntries(headers)
}

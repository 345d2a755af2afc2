import { describe, expect, test } from "vitest"
import { encodeUri, signRequest } from "./door.js"

// The examples of "Signature Calculations for the Authorization Header" in the API reference of Amazon S3.
const signer = {
  credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
  region: "us-east-1",
  now: Date.UTC(2013, 4, 24),
}
const HOST = "https://examplebucket.s3.amazonaws.com"
const NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
const SCOPE = "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request"

const examples = [
  {
    what: "GET Object",
    request: { method: "GET", path: "/test.txt", headers: { range: "bytes=0-9" }, bodyHash: NOTHING },
    names: "host;range;x-amz-content-sha256;x-amz-date",
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  {
    what: "PUT Object",
    request: {
      method: "PUT",
      path: `/${encodeUri("test$file.text")}`,
      headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
      bodyHash: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
    },
    names: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  },
  {
    what: "GET Bucket Lifecycle",
    request: { method: "GET", path: "/?lifecycle", headers: {}, bodyHash: NOTHING },
    names: "host;x-amz-content-sha256;x-amz-date",
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  },
  {
    what: "List Objects",
    request: { method: "GET", path: "/?max-keys=2&prefix=J", headers: {}, bodyHash: NOTHING },
    names: "host;x-amz-content-sha256;x-amz-date",
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  },
]

describe("signRequest", () => {
  test.each(examples)("signs $what as AWS documents it", async ({ request, names, signature }) => {
    const { path, ...rest } = request
    const signed = await signRequest({ ...rest, url: new URL(HOST + path) }, signer)
    expect(signed).toMatchObject({
      ...request.headers,
      "x-amz-date": "20130524T000000Z",
      "x-amz-content-sha256": request.bodyHash,
      authorization: `AWS4-HMAC-SHA256 Credential=${SCOPE}, SignedHeaders=${names}, Signature=${signature}`,
    })
  })

  test("sorts the query, so that its order makes no difference", async () => {
    const url = new URL(`${HOST}/?prefix=J&max-keys=2`)
    const signed = await signRequest({ method: "GET", url, headers: {}, bodyHash: NOTHING }, signer)
    expect(signed.authorization).toContain(examples[3]?.signature)
  })

  test("signs the session token of temporary credentials", async () => {
    const credentials = { ...signer.credentials, sessionToken: "token" }
    const request = { method: "GET", url: new URL(HOST), headers: {}, bodyHash: NOTHING }
    const signed = await signRequest(request, { ...signer, credentials })
    expect(signed["x-amz-security-token"]).toBe("token")
    expect(signed.authorization).toContain("x-amz-date;x-amz-security-token,")
  })
})

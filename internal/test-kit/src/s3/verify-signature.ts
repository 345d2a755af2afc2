import { createHash, createHmac } from "node:crypto"

/** A request to the fake. */
export interface S3Call {
  readonly method: string
  readonly url: URL
  /** Their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What is wrong with the signature of a request, as S3's code; undefined if nothing is. Written from the specification, with Node's crypto. */
export function signatureFault(call: S3Call, keys: ReadonlyMap<string, string>, now: number): string | undefined {
  const { authorization = "", "x-amz-date": time = "", "x-amz-content-sha256": bodyHash = "" } = call.headers
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    )
  if (parts === null) return "AccessDenied"
  const [, id = "", day = "", region = "", names = "", signature] = parts
  const secret = keys.get(id)
  if (secret === undefined) return "InvalidAccessKeyId"
  const sent = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"))
  if (!(Math.abs(sent - now) <= 15 * 60_000)) return "RequestTimeTooSkewed"
  const mustBeSigned = Object.keys(call.headers).filter((name) => name === "host" || name.startsWith("x-amz-"))
  if (mustBeSigned.some((name) => !names.split(";").includes(name))) return "AccessDenied"
  const query = [...call.url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
  const path = decodeURIComponent(call.url.pathname).split("/").map(encoded).join("/")
  const lines = names.split(";").map((name) => `${name}:${call.headers[name]?.trim().replace(/\s+/g, " ")}\n`)
  const canonical = [call.method, path, query.join("&"), lines.join(""), names, bodyHash].join("\n")
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ["AWS4-HMAC-SHA256", time, scope, createHash("sha256").update(canonical).digest("hex")].join("\n")
  const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest()
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  if (hmac(key, text).toString("hex") !== signature) return "SignatureDoesNotMatch"
  const actual = createHash("sha256").update(call.body).digest("hex")
  return bodyHash === actual || bodyHash === "UNSIGNED-PAYLOAD" ? undefined : "XAmzContentSHA256Mismatch"
}

const encoded = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const char = String.fromCharCode(byte)
      return /[A-Za-z0-9._~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
    })
    .join("")

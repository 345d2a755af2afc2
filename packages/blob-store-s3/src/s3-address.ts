import { TreelogError } from "@treelog/session-core"

/** Where the blobs are. */
export interface S3Location {
  /**
   * The URL of the store: `https://s3.eu-west-1.amazonaws.com`, `http://127.0.0.1:9000`. A path in it is kept. No other host is
   * contacted, except `<bucket>.<host of the endpoint>` with `addressing: "virtual-host"`.
   */
  readonly endpoint: string
  readonly bucket: string
  /** What all keys begin with, without slashes at its ends: `agent/blobs`. By default nothing. */
  readonly prefix?: string | undefined
  /** The region that requests are signed for; `us-east-1` by default, `auto` for Cloudflare R2. */
  readonly region?: string | undefined
  /**
   * Whether the bucket is part of the path (`https://host/bucket/key`), the default, or of the host
   * (`https://bucket.host/key`).
   */
  readonly addressing?: "path" | "virtual-host" | undefined
}

/** Turns keys into URLs and into names for messages. */
export class S3Address {
  readonly region: string
  readonly bucket: string
  /** The address of the endpoint, or of the bucket at it: for messages. */
  readonly origin: string
  /** Empty, or with a slash at its end. */
  readonly #prefix: string
  /** Of the bucket, without a slash at its end. */
  readonly #path: string

  /** @throws InvalidArgumentError */
  constructor({ endpoint, bucket = "", prefix = "", region = "us-east-1", addressing = "path" }: S3Location) {
    const url = parseEndpoint(endpoint)
    if (!/^[A-Za-z0-9][A-Za-z0-9._:-]{1,254}$/.test(bucket) || bucket.includes(".."))
      throw invalidLocation("bucket", bucket, "is not the name of a bucket")
    if (!/^[A-Za-z0-9-]{1,64}$/.test(region)) throw invalidLocation("region", region, "is not the name of a region")
    if (prefix !== "" && !isPrefix(prefix))
      throw invalidLocation("prefix", prefix, "has a part that is empty, . or .., or is not Unicode")
    if (addressing !== "path" && addressing !== "virtual-host")
      throw invalidLocation("addressing", addressing, "is neither path nor virtual-host")
    if (addressing === "virtual-host" && url.protocol === "https:" && bucket.includes("."))
      throw invalidLocation("bucket", bucket, 'has a dot, which no certificate covers with addressing "virtual-host"')
    this.region = region
    this.bucket = bucket
    this.#prefix = prefix === "" ? "" : `${prefix}/`
    const base = url.pathname.replace(/\/+$/, "")
    this.#path = addressing === "path" ? `${base}/${encodeUri(bucket)}` : base
    this.origin = addressing === "path" ? url.origin : `${url.protocol}//${bucket}.${url.host}`
  }

  /** The URL of an object, by its name below the prefix; without a name, that of the bucket. */
  url(name?: string, query: Readonly<Record<string, string>> = {}): URL {
    const pairs = Object.entries(query).map(([key, value]) => `${encodeUri(key)}=${encodeUri(value)}`)
    const path = name === undefined ? this.#path || "/" : `${this.#path}/${encodePath(this.keyOf(name))}`
    return new URL(`${this.origin}${path}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`)
  }

  /** The key of an object in the bucket. */
  keyOf(name: string): string {
    return `${this.#prefix}${name}`
  }

  /** As the header of a copy names the object. */
  copySource(name: string): string {
    return `/${encodeUri(this.bucket)}/${encodePath(this.keyOf(name))}`
  }

  /** For messages. */
  uri(name = ""): string {
    return `s3://${this.bucket}/${this.keyOf(name)}`
  }
}

function parseEndpoint(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    // The value may hold a password, and is not repeated.
    throw new TreelogError("InvalidArgumentError", "The endpoint is not an http or https URL.", {
      argument: "endpoint",
      value: undefined,
    })
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    const message = `The endpoint ${url.host} has more than a host and a path. Pass keys as \`credentials\`.`
    throw new TreelogError("InvalidArgumentError", message, { argument: "endpoint", value: url.origin })
  }
  return url
}

/** URLs resolve `.` and `..`, so that such a key cannot be requested. */
function isPrefix(prefix: string): boolean {
  return (
    !/\p{Surrogate}/u.test(prefix) && prefix.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  )
}

/** Encodes all characters except letters, digits and `-._~`, as the signature requires. */
export function encodeUri(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

function encodePath(key: string): string {
  return key.split("/").map(encodeUri).join("/")
}

function invalidLocation(argument: string, value: string, claim: string): TreelogError<"InvalidArgumentError"> {
  return new TreelogError("InvalidArgumentError", `${argument} ${JSON.stringify(value)} ${claim}.`, { argument, value })
}

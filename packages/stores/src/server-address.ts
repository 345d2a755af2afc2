import { TreelogError } from "@treelog/session-core"
import { hideUrls } from "./hide-urls.js"

// Other users of a machine see the arguments of its processes, and shells keep them. So a password is refused there, and no message
// repeats more of an address than its host and its path.

/** Whether a text is the address of something on a server, and no folder. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
}

/** A database. */
export interface PostgresAddress {
  /** As the user wrote it: it may contain a password. */
  readonly connectionString: string
  /** For people: `postgres://user@host:5432/database`. */
  readonly name: string
}

/**
 * @param text `postgres://…` or `postgresql://…`
 * @param source where it is from, for messages; one that begins with `--` is an argument
 * @throws InvalidArgumentError for anything else, and for a password in an argument
 */
export function postgresAddress(text: string, source: string): PostgresAddress {
  if (!/^postgres(?:ql)?:\/\//i.test(text)) {
    const message = `${source} ${hideUrls(text)}: a store on a server has an address that begins with postgres://.`
    throw invalid(message, "store", text)
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  // In a password, a character that ends it would make the rest of it part of the address.
  if (!url || `${url.pathname}${url.search}${url.hash}`.includes("@") || url.hash !== "") {
    const message = `The address of ${source} is not a URL: write postgres://user@host:5432/database, with special characters as %40.`
    throw invalid(message, "store", text)
  }
  const hasPassword = url.password !== "" || [...url.searchParams.keys()].some((name) => /password/i.test(name))
  if (hasPassword && source.startsWith("--")) {
    const message = `${source} contains a password, which other users of this machine can see and the shell keeps: use PGPASSWORD or ~/.pgpass, or put the address into TREELOG_STORE.`
    throw invalid(message, "store", text)
  }
  const user = url.username === "" ? "" : `${url.username}@`
  return { connectionString: text, name: `postgres://${user}${url.host}${url.pathname}` }
}

/** Where in a bucket blobs are. */
export interface BucketAddress {
  readonly bucket: string
  /** Without slashes at its ends; empty for none. */
  readonly prefix: string
  /** For people: `s3://bucket/prefix`. */
  readonly name: string
}

/**
 * @param text `s3://bucket` or `s3://bucket/prefix`
 * @throws InvalidArgumentError for anything else
 */
export function bucketAddress(text: string, source: string): BucketAddress {
  const [, bucket, path = ""] = /^s3:\/\/([^/?#@:\s]+)(?:\/([^?#@]*))?$/i.exec(text) ?? []
  if (bucket === undefined) {
    const message = `${source} ${hideUrls(text)}: blobs are in a folder, or in s3://bucket/prefix. Keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`
    throw invalid(message, "blobs", text)
  }
  const prefix = path.replace(/^\/+|\/+$/g, "")
  return { bucket, prefix, name: `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}` }
}

/** The value without what may be a password. */
function invalid(message: string, argument: string, text: string): TreelogError<"InvalidArgumentError"> {
  return new TreelogError("InvalidArgumentError", message, { argument, value: hideUrls(text) })
}

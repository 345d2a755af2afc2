import { TreelogError } from "@treelog/session-core"
import { hideUrls } from "./hide-urls.js"

// Other users of a machine see the arguments of its processes, and shells keep them. So a password is refused there, and no message
// repeats more of an address than its host and its path.

/** Whether a text is the address of something on a server, also with a slash too few, and no folder, also of a drive such as `C:/`. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\//i.test(text)
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
  const url = wholeUrl(text)
  if (!url) {
    const message = `The address of ${source} is not a URL: write postgres://user@host:5432/database, with special characters as %40.`
    throw invalid(message, "store", text)
  }
  const hasPassword = url.password !== "" || [...url.searchParams.keys()].some((name) => /password/i.test(name))
  if (hasPassword && source.startsWith("--")) {
    const message = `${source} contains a password, which other users of this machine can see and the shell keeps: use PGPASSWORD or ~/.pgpass, or put the address into TREELOG_STORE.`
    throw invalid(message, "store", text)
  }
  return { connectionString: text, name: nameOfUrl(url) }
}

/** The name of a store as it may be shown: of an address, without its password. */
export function shownStore(name: string): string {
  const url = isAddress(name) ? wholeUrl(name) : undefined
  return url ? nameOfUrl(url) : hideUrls(name)
}

/** Undefined for what is no URL, or may be one with a password that a character of it ends, so that the rest is in other parts of the URL. */
function wholeUrl(text: string): URL | undefined {
  const url = /^postgres(?:ql)?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  return url && !`${url.pathname}${url.search}${url.hash}`.includes("@") && url.hash === "" ? url : undefined
}

function nameOfUrl({ username, host, pathname }: URL): string {
  return `postgres://${username === "" ? "" : `${username}@`}${host}${pathname}`
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

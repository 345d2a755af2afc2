import { TreelogError } from "@treelog/session-core"
import { elementText } from "./read-xml.js"
import type { S3Address } from "./s3-address.js"

// Errors name the operation, the object and the code, and say what to do. They repeat nothing else that the store sent: its texts
// can contain the access key, the signature, and the string that was signed.

/** The operation that failed, for messages. */
export interface S3Operation {
  /** `put`, `read`, `stat`, `list` or `sweep`. */
  readonly operation: string
  /** The name of the object below the prefix; empty for the bucket. */
  readonly name: string
}

/** An answer that is not the expected one. */
export interface FailedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The time of this machine when the answer came. */
  readonly now: number
}

type Advice = (address: S3Address, answer: FailedAnswer) => string

const KEYS: Advice = () => "Check `credentials`, and that they belong to this `endpoint`."
const TEMPORARY: Advice = () =>
  "The temporary credentials are not valid, or no longer. Pass `credentials` as a function that returns current ones."
const REGION: Advice = (address, answer) => {
  const region = regionIn(answer)
  if (region === undefined || region === address.region)
    return "The bucket is at another endpoint. Set `endpoint` to that of its region."
  return `The bucket is in the region ${region}, not ${address.region}. Set \`region\`, and \`endpoint\` to that of this region.`
}
const BUSY: Advice = () => "The store is overloaded or failing. Try again later."

const ADVICE: Readonly<Record<string, Advice>> = {
  AccessDenied: () =>
    "The credentials do not allow this, or the bucket's policy refuses it. s3:PutObject, s3:GetObject and s3:ListBucket are needed, and s3:DeleteObject for sweeps.",
  AllAccessDisabled: () => "The bucket is disabled. Ask its owner.",
  AuthorizationHeaderMalformed: REGION,
  ConditionalRequestConflict: BUSY,
  EntityTooLarge: () => "The blob is larger than what the store accepts in one request.",
  ExpiredToken: TEMPORARY,
  IllegalLocationConstraintException: REGION,
  InternalError: BUSY,
  InvalidAccessKeyId: KEYS,
  InvalidBucketName: () => "Correct `bucket`.",
  InvalidObjectState: () => "The object is archived. Restore it, and keep blobs out of archive classes.",
  InvalidToken: TEMPORARY,
  MethodNotAllowed: () => "The endpoint does not answer as S3 does. Check `endpoint` and `addressing`.",
  NoSuchBucket: ({ bucket, origin }) =>
    `There is no bucket ${JSON.stringify(bucket)} at ${origin}. Create it, or correct \`bucket\`, \`endpoint\` or \`addressing\`.`,
  NotImplemented: () => "The store does not support this request.",
  OperationAborted: BUSY,
  PermanentRedirect: REGION,
  QuotaExceeded: () => "The quota of the store is used up. Free space, or raise it.",
  RequestTimeTooSkewed: (_, { headers, now }) => {
    const there = Date.parse(headers.get("date") ?? "")
    const seconds = Math.round((now - there) / 1000)
    const by = Number.isNaN(seconds)
      ? "differs from"
      : `is ${Math.abs(seconds)} s ${seconds < 0 ? "behind" : "ahead of"}`
    return `The clock of this machine ${by} that of the store. Set it.`
  },
  ServiceUnavailable: BUSY,
  SignatureDoesNotMatch: () =>
    "The secret access key is wrong, or a proxy changes requests. Check `credentials`, `region` and the proxy.",
  SlowDown: BUSY,
  TemporaryRedirect: REGION,
  TooManyRequests: BUSY,
}

/** For answers without a code of S3, as those to HEAD, and those of proxies. */
const BY_STATUS: Readonly<Record<number, string>> = {
  401: "AccessDenied",
  403: "AccessDenied",
  409: "OperationAborted",
  413: "EntityTooLarge",
  429: "TooManyRequests",
  500: "InternalError",
  501: "NotImplemented",
  503: "ServiceUnavailable",
}

const FAULTS_OF_THE_CONNECTION: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing listens there. Check `endpoint`, and that the store runs.",
  ENOTFOUND: "The host is unknown. Check `endpoint`, and `addressing`.",
  ETIMEDOUT: "No answer came in time. Check the network, or raise `timeoutMs`.",
}

/** S3's code of an answer, such as `NoSuchKey`; one made of the status where there is none. */
export function codeOf({ status, text }: FailedAnswer): string {
  const code = elementText(text, "Code") ?? ""
  if (/^[A-Za-z][\w.-]{0,63}$/.test(code)) return code
  if (status >= 300 && status < 400) return "PermanentRedirect"
  return BY_STATUS[status] ?? `HTTP${status}`
}

/** The error for an answer; its `errno` is S3's code. */
export function answerError(
  address: S3Address,
  purpose: S3Operation,
  answer: FailedAnswer,
): TreelogError<"StorageError"> {
  const code = codeOf(answer)
  const id = /^[\w./+=-]{1,100}$/.exec(answer.headers.get("x-amz-request-id") ?? "")?.[0]
  const request = id === undefined ? "" : `, request ${id}`
  const advice = ADVICE[code]?.(address, answer) ?? "See what the store documents about this code."
  return s3Error(address, purpose, code, `${code} (HTTP ${answer.status}${request}). ${advice}`)
}

/**
 * The error for a request that got no answer; its `errno` is the code of the connection's fault.
 * @param secrets what must not be in the error
 */
export function connectionError(
  address: S3Address,
  purpose: S3Operation,
  fault: unknown,
  secrets: readonly string[],
): TreelogError<"StorageError"> {
  const cause = cleanCause(fault, secrets)
  const isTimeout = fault instanceof Error && fault.name === "TimeoutError"
  const errno = isTimeout ? "ETIMEDOUT" : cause?.code
  const reason = FAULTS_OF_THE_CONNECTION[errno ?? ""] ?? `The connection failed${cause ? `: ${cause.message}` : "."}`
  return s3Error(address, purpose, errno, `${errno ?? "no answer"} from ${address.origin}. ${reason}`, cause)
}

/** An error of this package: `reason` follows what was tried. */
export function s3Error(
  address: S3Address,
  { operation, name }: S3Operation,
  errno: string | undefined,
  reason: string,
  cause?: unknown,
): TreelogError<"StorageError"> {
  const key = address.uri(name)
  return new TreelogError("StorageError", `Cannot ${operation} ${key}: ${reason}`, { key, operation, errno }, { cause })
}

/**
 * A copy of the error at the end of the chain, with its message and its code alone: implementations of `fetch` put the request, with its
 * signature, into their errors, and repeat headers that they refuse. Undefined when these two have a secret.
 */
function cleanCause(fault: unknown, secrets: readonly string[]): (Error & { code?: string }) | undefined {
  let error = fault
  for (let depth = 0; depth < 10 && error instanceof Error && error.cause instanceof Error; depth++) error = error.cause
  if (!(error instanceof Error)) return undefined
  const code = "code" in error && /^[A-Za-z]\w{2,50}$/.test(String(error.code)) ? String(error.code) : undefined
  if (secrets.some((secret) => error.message.includes(secret) || code?.includes(secret))) return undefined
  const message = error.message.replace(/\p{Cc}+/gu, " ").slice(0, 200)
  return Object.assign(new Error(message), code === undefined ? {} : { code })
}

function regionIn({ headers, text }: FailedAnswer): string | undefined {
  const region = headers.get("x-amz-bucket-region") ?? elementText(text, "Region") ?? ""
  return /^[a-z0-9-]{1,64}$/.test(region) ? region : undefined
}

import { TreelogError } from "@treelog/session-core"

/** The keys of a user of the store. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary credentials. */
  readonly sessionToken?: string | undefined
}

/** @throws InvalidArgumentError, which does not have the value */
export function assertCredentials(credentials: S3Credentials | undefined): asserts credentials {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials ?? {}
  for (const [name, value] of Object.entries({ accessKeyId, secretAccessKey, sessionToken })) {
    if (name === "sessionToken" && value === undefined) continue
    if (typeof value === "string" && /^[\x21-\x7e]+$/.test(value)) continue
    const problem = value === undefined || value === "" ? "missing" : "not printable ASCII without spaces"
    const argument = `credentials.${name}`
    throw new TreelogError("InvalidArgumentError", `${argument} is ${problem}.`, { argument, value: undefined })
  }
}

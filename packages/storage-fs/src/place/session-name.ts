import { basename, dirname, join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import { isNameableId, type SessionPlace } from "@treelog/session-core/adapter"

const LONGEST_TIMESTAMP = 40
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T[0-9:.]+(?:Z|[+-][0-9:]+)$/
const FILE_NAME = /^\d{4}-\d{2}-\d{2}T[0-9Z+-]+_(.+)\.jsonl$/

export const SESSION_SUFFIX = ".jsonl"

/**
 * The name of a new session's file (FORMAT.md, section 1).
 * @throws InvalidArgumentError when the id or the timestamp is not of the form that a file name may hold
 */
export function sessionFileName({ id, timestamp }: Pick<SessionPlace, "id" | "timestamp">): string {
  if (!isNameableId(id)) throw invalidName("id", id)
  if (timestamp.length > LONGEST_TIMESTAMP || !TIMESTAMP.test(timestamp)) throw invalidName("timestamp", timestamp)
  return `${timestamp.replace(/[:.]/g, "-")}_${id}${SESSION_SUFFIX}`
}

/** The session id that a file name holds, if it does. In a name with bytes that are not UTF-8 it is not what it was. */
export function idOfFileName(name: string): string | undefined {
  return name.includes("\uFFFD") ? undefined : FILE_NAME.exec(name)?.[1]
}

/**
 * The folder of a session's artifacts; undefined where there can be none, because the name is not a session's or the
 * folder would have the name of another session.
 */
export function artifactsFolder(key: string): string | undefined {
  if (!key.endsWith(SESSION_SUFFIX)) return undefined
  const name = basename(key, SESSION_SUFFIX)
  return name === "" || name.endsWith(SESSION_SUFFIX) ? undefined : join(dirname(key), name)
}

/**
 * A name for bytes that are kept beside the session, out of the listing's sight.
 * @throws InvalidArgumentError when the suffix could leave the folder or look like a session
 */
export function besideName(path: string, suffix: string, number: number): string {
  if (suffix === "" || /[/\\\0]/.test(suffix) || suffix.endsWith(SESSION_SUFFIX)) throw invalidName("suffix", suffix)
  return number === 1 ? path + suffix : `${path}${suffix}.${number}`
}

/** @throws InvalidArgumentError for what no system takes for the path of a folder */
export function assertFolder(cwd: string): void {
  if (cwd.includes("\0")) throw invalidName("cwd", cwd)
}

function invalidName(argument: string, value: string): TreelogError<"InvalidArgumentError"> {
  const message = `Not a valid ${argument}: ${JSON.stringify(value)}`
  return new TreelogError("InvalidArgumentError", message, { argument, value })
}

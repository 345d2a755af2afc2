import { TreelogError } from "@treelog/session-core"
import { type SessionPlace, webDigest } from "@treelog/session-core/adapter"

/** The parts of the name of an object, as of a path: the first is the prefix of the adapter, all but the last are the folder. */
export type ObjectName = readonly string[]

/** A name is stored in the first line of its object, which is read in one piece. Bytes of JSON. */
const LONGEST_NAME = 3072

// The place of an object depends on its name alone: the time of an object is in its first line.
const TIMESTAMP = "1970-01-01T00:00:00.000Z"

/**
 * @param argument what the caller calls this part
 * @throws InvalidArgumentError for what cannot be part of a name, or could leave the prefix
 */
export function assertPart(argument: string, value: string): void {
  const fault = nameFault(value)
  if (fault === undefined) return
  const message = `${argument} ${fault}: ${JSON.stringify(value)}. Pass a text without NUL and without the segments "." and "..".`
  throw new TreelogError("InvalidArgumentError", message, { argument, value })
}

function nameFault(value: unknown): string | undefined {
  if (typeof value !== "string") return "is not a text"
  if (value === "") return "is empty"
  if (value.includes("\0")) return "contains NUL"
  if (/\p{Cs}/u.test(value)) return "contains half of a surrogate pair"
  return value.split(/[/\\]/).some((segment) => segment === "." || segment === "..")
    ? "could leave its prefix"
    : undefined
}

/**
 * Where a storage keeps an object. The id is a hash: it fits into any key, and different names have different ids, also on disks that
 * ignore case.
 * @throws InvalidArgumentError when the name is too long
 */
export async function sessionPlaceOf(name: ObjectName): Promise<SessionPlace> {
  const bytes = new TextEncoder().encode(JSON.stringify(name))
  if (bytes.length > LONGEST_NAME) {
    const message = `The name has ${bytes.length} bytes, and ${LONGEST_NAME} are possible. Shorten its longest part.`
    throw new TreelogError("InvalidArgumentError", message, { argument: "name", value: name })
  }
  return { cwd: cwdOf(name.slice(0, -1)), id: await webDigest.sha256(bytes), timestamp: TIMESTAMP }
}

/** The working directory by which storages list the objects of a folder. Several folders may share one. */
export function cwdOf(folder: ObjectName): string {
  return `/${folder.join("/")}`
}

/** What identifies an object in its folder. */
export function lastPart(name: ObjectName): string {
  return name.at(-1) ?? ""
}

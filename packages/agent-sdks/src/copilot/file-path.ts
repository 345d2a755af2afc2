import { TreelogError } from "@treelog/session-core"

/**
 * The one form of a path: absolute, with "/", without "." and "..".
 * @throws InvalidArgumentError for a path that leaves the root
 */
export function normalPath(path: string): string {
  const segments: string[] = []
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue
    if (segment !== "..") segments.push(segment)
    else if (segments.pop() === undefined) {
      const message = `The path ${JSON.stringify(path)} leaves the files of the session. Pass a path below "/".`
      throw new TreelogError("InvalidArgumentError", message, { argument: "path", value: path })
    }
  }
  return `/${segments.join("/")}`
}

/** The path of what is in a directory, up to the name. */
export function within(directory: string): string {
  return directory === "/" ? "/" : `${directory}/`
}

/** The directory of a path; that of "/" is "/". */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/"
}

import { TreelogError } from "@treelog/session-core"
import type { LeaseHolder } from "@treelog/storage-fs"

/** What taking the session would fail with, for those who only say what they would do. */
export function busyError(key: string, { pid, host, since }: LeaseHolder): TreelogError<"SessionBusyError"> {
  const who = pid === undefined ? "" : ` by process ${pid} on ${host}`
  const message = `The session is held${who} since ${since}: ${key}.`
  return new TreelogError("SessionBusyError", message, { key, pid: pid ?? 0, host: host ?? "unknown", since })
}

import { spawnSync } from "node:child_process"

const IS_WINDOWS = process.platform === "win32"

/**
 * A process and all that it started by now: also what has a process group of its own, as the tasks of turbo have. To be asked
 * before any of them ends: the children of one that is gone have no parent.
 */
export function processTree(pid) {
  return IS_WINDOWS ? [pid] : [-pid, ...descendantsOf(pid)]
}

export function signalTree(tree, signal) {
  for (const pid of tree) {
    if (IS_WINDOWS) spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"])
    else send(pid, signal)
  }
}

/** Where there is no ps, none but those of its group are known. */
function descendantsOf(pid) {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
  const rows = (stdout ?? "").split("\n").map((line) => line.trim().split(/\s+/).map(Number))
  const found = [pid]
  for (const parent of found) for (const [child, itsParent] of rows) if (itsParent === parent) found.push(child)
  return found.slice(1)
}

function send(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It ended meanwhile.
    if (error.code !== "ESRCH") throw error
  }
}

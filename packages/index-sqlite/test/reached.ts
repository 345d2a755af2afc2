import type { ChildProcess } from "node:child_process"

/** Resolves when the process has reported that it has done so many. */
export function reached(child: ChildProcess, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on("message", (done) => {
      if (typeof done === "number" && done >= count) resolve()
    })
    child.once("exit", (code) => reject(new Error(`the process ended with ${code} before it had done ${count}`)))
  })
}

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import type { Io, PagerCommand, RunningPager } from "./io.js"

/** Starts a pager on the terminal. @throws the system's error where there is no such program */
export async function runPager({ file, args, isShell, env }: PagerCommand, own: Io["env"]): Promise<RunningPager> {
  const child = spawn(file, [...args], {
    shell: isShell,
    stdio: ["pipe", "inherit", "inherit"],
    env: { ...own, ...env },
  })
  const { stdin } = child
  // The caller of `write` gets the error; an unhandled event would end the process.
  stdin.on("error", () => {})
  const ended = endOf(child)
  await once(child, "spawn")
  return {
    ended,
    write: (content) =>
      new Promise((resolve, reject) => {
        stdin.write(content, (error) => (error ? reject(brokenPipe(error)) : resolve()))
      }),
    end: async () => {
      stdin.end()
      await ended
    },
  }
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("close", () => resolve())
  })
}

/** Whatever keeps the text from the pager, it is not read any more. */
function brokenPipe(error: Error): Error {
  return Object.assign(new Error("The pager has ended.", { cause: error }), { code: "EPIPE" })
}

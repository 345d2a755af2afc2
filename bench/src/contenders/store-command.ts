import { execFile, spawn } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { storeIn } from "../data/shared-store.js"
import type { Contender } from "../question.js"
import { work } from "../work.js"
import { COMMAND } from "./command.js"

const run = promisify(execFile)

/** The command on a whole store, `agent` in the folder, with the list cache in `cache` beside it, and no stores of other programs. */
function onStore(folder: string, cacheDir = join(storeIn(folder), "cache")) {
  const store = storeIn(folder)
  const env = {
    ...process.env,
    HOME: store,
    TREELOG_AGENT_DIR: join(store, "agent"),
    TREELOG_CACHE_DIR: cacheDir,
  }
  return { env, cwd: store, maxBuffer: Number.POSITIVE_INFINITY }
}

/** Runs the built `treelog` command on the sessions of a folder, with the cache in it. */
export function runStoreCommand(folder: string, args: readonly string[]) {
  const env = { ...process.env, HOME: folder, TREELOG_CACHE_DIR: join(folder, "cache") }
  return run(process.execPath, [COMMAND, ...args], { env, cwd: folder, maxBuffer: Number.POSITIVE_INFINITY })
}

/** The built `treelog` command, from the start of its process to the end. The round that is not counted fills the cache. */
export function storeCommand(...args: string[]): Contender {
  return async (folder) =>
    work(
      () => run(process.execPath, [COMMAND, ...args], onStore(folder)),
      ({ stdout }) => `${stdout.split("\n").length} lines`,
    )
}

/** `storeCommand` without a cache: every run is the first. */
export function firstStoreCommand(...args: string[]): Contender {
  return async (folder, scratch) =>
    work(
      () => run(process.execPath, [COMMAND, ...args], onStore(folder, join(scratch, "cache"))),
      ({ stdout }) => `${stdout.split("\n").length} lines`,
    )
}

/** Runs the command until it prints something. */
export function firstOfStoreCommand(...args: string[]): Contender {
  return async (folder) =>
    work(
      () =>
        new Promise<string>((resolve, reject) => {
          const child = spawn(process.execPath, [COMMAND, ...args], {
            ...onStore(folder),
            stdio: ["ignore", "pipe", "inherit"],
          })
          child.on("error", reject)
          child.on("exit", () => reject(new Error("It printed nothing.")))
          // The pipe is closed, as by `head -1`.
          child.stdout.once("data", (data) => {
            resolve(String(data))
            child.stdout.destroy()
          })
        }),
      (text) => text.split("\n")[1]?.split(/\s+/)[0] ?? "",
    )
}

/** Why no terminal can be had here; undefined where one can. */
export const TERMINAL_IS_ABSENT = process.platform === "linux" ? undefined : "its terminal is made by `script` of Linux"

/** The finder in a terminal of 40 rows, until a session of the store is on its screen. */
export function firstScreen(...args: string[]): Contender {
  return async (folder) =>
    work(
      () =>
        new Promise<string>((resolve, reject) => {
          const shell = `stty rows 40 cols 120; exec '${process.execPath}' '${COMMAND}' ${args.join(" ")}`
          const child = spawn("script", ["-qfec", shell, "/dev/null"], { ...onStore(folder), stdio: "pipe" })
          let screen = ""
          child.on("error", reject)
          child.on("exit", () => reject(new Error(`It showed no session: ${screen.slice(-500)}`)))
          child.stdout.on("data", (data) => {
            screen += String(data)
            if (!screen.includes("/home/dev/")) return
            resolve("a session")
            child.kill()
          })
        }),
      String,
    )
}

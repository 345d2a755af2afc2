import { resolve } from "node:path"
import { agentDirOf, FileSessionStorage, type FileSessionStorageOptions } from "@treelog/storage-fs"
import type { CommandContext } from "../io/command-context.js"
import { absoluteFolder } from "../io/io.js"

type Asked = Pick<CommandContext, "io" | "options">

/** The sessions that the options name. Warns when the list cache cannot be used. */
export function composeStorage(context: CommandContext): FileSessionStorage {
  return new FileSessionStorage({
    ...fileStorageOptions(context),
    onCacheError: (error) =>
      context.warn(error, `${error.message}. Lists are complete without that cache, but slower.`),
  })
}

/** Which files are meant. */
export function fileStorageOptions({ io, options }: Asked): FileSessionStorageOptions {
  const { sessionDir } = options
  return {
    agentDir: agentDirIn({ io, options }),
    preset: options.store,
    ...(sessionDir !== undefined && { sessionDir: absoluteFolder(io, sessionDir) }),
    env: io.env,
  }
}

/** The folder of the store. An absolute path. */
export function agentDirIn({ io, options }: Asked): string {
  return absoluteFolder(io, options.agentDir ?? agentDirOf(options.store ?? "treelog", io.env))
}

/** The folder whose sessions are meant. An absolute path. */
export function cwdIn({ io, options }: Asked): string {
  return resolve(io.cwd, options.cwd ?? "")
}

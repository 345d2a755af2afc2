import { isAbsolute, join, relative, resolve, sep } from "node:path"
import type { CommandContext } from "../io/command-context.js"
import { cwdIn } from "../sessions/scope.js"

/** What stored paths end with, one or the other: they are absolute, or relative to the folder of the session. */
export function endsOfPath(context: Pick<CommandContext, "io" | "options">, path: string): string[] {
  if (!isAbsolute(path) && !/^\.\.?([/\\]|$)/.test(path)) return [path]
  const cwd = cwdIn(context)
  const whole = resolve(context.io.cwd, path)
  const fromCwd = relative(cwd, whole)
  if (whole.startsWith(join(cwd, sep))) return [fromCwd]
  return fromCwd === "" ? [whole] : [whole, fromCwd]
}

import { type OpenOptions, type OpenStore, openStore, type StoreName } from "@treelog/stores"
import type { CommandContext } from "../io/command-context.js"

/** How a command opens stores: what is wrong and ends nothing goes to stderr, and what was opened is closed when the command ends. */
export function openOptions(
  context: CommandContext,
): Required<Pick<OpenOptions, "env" | "onWarning" | "onOpen" | "signal">> & Pick<OpenOptions, "plugIns"> {
  return {
    env: context.io.env,
    ...(context.io.plugIns && { plugIns: context.io.plugIns }),
    onWarning: (error, message) => context.warn(error, message),
    onOpen: (close) => context.resources.onEnd(close),
    signal: context.io.interrupted,
  }
}

/** Opens a store for a command: a database once, files and agents each time. @throws what `openStore` throws */
export function openNamedStore(
  context: CommandContext,
  name: StoreName,
  use: Pick<OpenOptions, "caches" | "exists"> = {},
): Promise<OpenStore> {
  const open = () => openStore(name, { ...openOptions(context), ...use })
  return name.kind === "postgres" ? context.resources.once(`store ${name.connectionString}`, open) : open()
}

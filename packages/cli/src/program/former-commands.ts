import { UsageError } from "../errors/usage-error.js"

/**
 * A command line of `treelog history`, which `search --prompts` replaces, as it is written now; any other as it is.
 * @throws UsageError for what there is no more
 */
export function currentCommandLine(argv: readonly string[]): readonly string[] {
  const [command, verb = "recent", ...others] = argv
  if (command !== "history") return argv
  const search = ["search", "--prompts", "--all"]
  if (verb === "search" || verb === "recent") return [...search, ...others]
  if (verb.startsWith("-")) return [...search, verb, ...others]
  throw new UsageError(
    `treelog history ${verb} is gone: \`treelog search --prompts\` reads what agents keep of prompts where it is.`,
  )
}

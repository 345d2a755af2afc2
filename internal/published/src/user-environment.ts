import { delimiter } from "node:path"

/** What npm, vitest and our own tests say to their children, and no shell of a user does. */
const OURS =
  /^(npm_(package|lifecycle|execpath|node_execpath|command)|npm_config_(local_prefix|user_agent)|VITEST|TREELOG_)|^(NODE_ENV|NODE_OPTIONS|NODE_PATH|INIT_CWD|TEST|DEV|PROD|MODE|BASE_URL|SSR|FORCE_COLOR|CI)$/i

const QUIET = { NO_COLOR: "1", npm_config_update_notifier: "false" }

/**
 * The environment that programs have on the machine of a user: nothing of ours in it, and no command of our workspace.
 * How npm reaches its registry stays as it is.
 */
export function userEnvironment(changes: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !OURS.test(name))
  const PATH = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"))
  return { ...Object.fromEntries(kept), PATH: PATH.join(delimiter), ...QUIET, ...changes }
}

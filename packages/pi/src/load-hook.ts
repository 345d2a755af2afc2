import { readFileSync } from "node:fs"
import type { LoadFnOutput, LoadHook } from "node:module"
import { fileURLToPath } from "node:url"
import { withTreelogClass } from "./replace-class.js"

/** For `module.register`. */
export const load: LoadHook = async (url, context, nextLoad) => replaced(url) ?? nextLoad(url, context)

/** For `module.registerHooks`, which also sees what is required. */
export function loadSync<Context>(
  url: string,
  context: Context,
  nextLoad: (url: string, context: Context) => LoadFnOutput,
): LoadFnOutput {
  return replaced(url) ?? nextLoad(url, context)
}

function replaced(url: string): LoadFnOutput | undefined {
  const source = withTreelogClass(url, () => readFileSync(fileURLToPath(url), "utf8"))
  return source === undefined ? undefined : { format: "module", source, shortCircuit: true }
}

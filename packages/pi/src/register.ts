// `node --import @treelog/pi/register …` runs pi with this package's SessionManager in the place of its own.

import nodeModule from "node:module"
import { loadSync } from "./load-hook.js"

const { registerHooks } = nodeModule as { registerHooks?: (hooks: { load: typeof loadSync }) => unknown }

// The bundle of pi 1.x is loaded by `require`, which only these hooks see. The Node that pi 1.x asks for has them.
if (registerHooks) registerHooks({ load: loadSync })
else nodeModule.register("./load-hook.js", import.meta.url)

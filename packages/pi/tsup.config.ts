import { defineConfig } from "tsup"
import { forNode, output } from "../../tsup.base.js"

const entry = { index: "src/index.ts", register: "src/register.ts", "load-hook": "src/load-hook.ts" }

export default defineConfig({ ...forNode, ...output(entry) })

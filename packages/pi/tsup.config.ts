import { defineConfig } from "tsup"
import { forNode } from "../../tsup.base.js"

const entry = { index: "src/index.ts", register: "src/register.ts", "load-hook": "src/load-hook.ts" }

export default defineConfig({ ...forNode, entry })

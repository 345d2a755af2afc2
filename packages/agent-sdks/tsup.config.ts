import { defineConfig } from "tsup"
import { forNode, output } from "../../tsup.base.js"

const entry = { claude: "src/claude/index.ts", openai: "src/openai/index.ts", copilot: "src/copilot/index.ts" }

export default defineConfig({ ...forNode, ...output(entry) })

import { defaultClientConditions, defaultServerConditions } from "vite"
import { defineConfig } from "vitest/config"

// Tests run on the sources: this condition stands first in the `exports` of every package.
const SOURCE = "@treelog/source"

export default defineConfig({
  resolve: { conditions: [SOURCE, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [SOURCE, ...defaultServerConditions] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "internal/*/test/**/*.test.ts"],
  },
})

import { fileURLToPath } from "node:url"
import { defaultClientConditions, defaultServerConditions } from "vite"
import { defineConfig } from "vitest/config"

// Tests run on the sources: this condition stands first in the `exports` of every package.
const SOURCE = "@treelog/source"

export default defineConfig({
  resolve: { conditions: [SOURCE, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [SOURCE, ...defaultServerConditions] } },
  test: {
    // The list cache of those tests that choose none; never that of whoever runs them.
    env: { TREELOG_CACHE_DIR: fileURLToPath(new URL("node_modules/.cache/treelog", import.meta.url)) },
    // The files of a worker share what they import: loading the sources anew for each took longer than the tests.
    isolate: false,
    include: ["packages/*/test/**/*.test.ts", "internal/*/test/**/*.test.ts"],
  },
})

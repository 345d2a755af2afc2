import { fileURLToPath } from "node:url"
import { defaultClientConditions, defaultServerConditions } from "vite"
import { defineConfig } from "vitest/config"

// Tests run on the sources: this condition stands first in the `exports` of every package.
const SOURCE = "@treelog/source"

/** The tests that need a PostgreSQL server, which one set-up starts for all of them. */
const POSTGRES = ["packages/storage-postgres/test/**/*.test.ts", "packages/cli/test/postgres/**/*.test.ts"]

export default defineConfig({
  resolve: { conditions: [SOURCE, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [SOURCE, ...defaultServerConditions] } },
  test: {
    // The list cache of those tests that choose none; never that of whoever runs them.
    env: { TREELOG_CACHE_DIR: fileURLToPath(new URL("node_modules/.cache/treelog", import.meta.url)) },
    // The files of a worker share what they import: loading the sources anew for each took longer than the tests.
    isolate: false,
    // As many as there are processors: by default one is left idle, which is half of two.
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          include: ["{packages,internal}/*/test/**/*.test.ts", "{bench,examples}/test/**/*.test.ts"],
          exclude: ["internal/browser/**", ...POSTGRES],
          // What hangs fails; what is slow on a busy machine does not.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: POSTGRES,
          globalSetup: ["internal/test-kit/src/postgres/global-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        // One browser for all of them.
        test: {
          name: "browser",
          include: ["internal/browser/test/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // A page takes its time on a busy machine; what it never comes to fails all the same.
          expect: { poll: { timeout: 20_000 } },
          maxWorkers: 1,
          // Where both projects run at once, vitest asks for an order of different numbers of workers.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})

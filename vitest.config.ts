import { fileURLToPath } from "node:url"
import { defaultClientConditions, defaultServerConditions } from "vite"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

// Tests run on the sources: this condition stands first in the `exports` of every package.
const SOURCE = "@treelog/source"

/** What tries ten times as much may take ten times as long. */
const MINUTE = 60_000 * Number(process.env.TREELOG_LONG ?? 1)

/** The ends of the names of test files say which tests they hold: CONTRIBUTING.md, "Tests". */
const files = (folders: string, kind = "") => `${folders}/test/**/*${kind}.test.ts`
const ALL = "{{packages,internal}/*,bench,examples}"
const [SLOW, SMOKE, RANDOM] = [".slow", ".smoke", ".property"]
const BROWSER = files("internal/browser", SLOW)
const PACKED = files("internal/published", SLOW)
/** The tests that need a PostgreSQL server, which one set-up starts for all of them. */
const POSTGRES = [files("packages/storage-postgres", SLOW), `packages/cli/test/postgres/**/*${SLOW}.test.ts`]

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const NEEDS = {
  sqlite: path("scripts/needs/sqlite.mjs"),
  build: path("scripts/needs/build.mjs"),
  types: path("scripts/needs/types.mjs"),
}

/** Files that take half a minute and more though they are short: in a new clone, vitest begins with the largest. */
const LONG = /(?:print-mode|packed-runtimes|credentials|sweep-faults|built-command|killed|slim-and-inflate)\.slow/

/** Nothing long is left for the end, when other processors have nothing to do. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** One project. What hangs fails; what is slow on a busy machine does not: no test has a time of its own. */
function project(name: string, minutes: number, test: object) {
  const limits = {
    testTimeout: minutes * MINUTE,
    hookTimeout: minutes * MINUTE,
    // Less than the test has, so that a poll says what it saw last.
    expect: { poll: { timeout: 0.8 * minutes * MINUTE } },
  }
  return { extends: true as const, test: { name, ...limits, ...test } }
}

export default defineConfig({
  resolve: { conditions: [SOURCE, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [SOURCE, ...defaultServerConditions] } },
  test: {
    // The list cache of those tests that choose none; never that of whoever runs them.
    env: { TREELOG_CACHE_DIR: path("node_modules/.cache/treelog") },
    // The files of a worker share what they import: loading the sources anew for each took longer than the tests.
    isolate: false,
    experimental: { fsModuleCache: true },
    // As many as there are processors: by default one is left idle, which is half of two.
    maxWorkers: "100%",
    sequence: { sequencer: LongestFirst },
    projects: [
      project("fast", 2, {
        include: [files(ALL)],
        exclude: ["**/node_modules/**", files(ALL, SLOW), files(ALL, SMOKE)],
        // A fifth of the random cases: the slow part runs all of them.
        env: { TREELOG_TRIES: "0.2" },
        globalSetup: [NEEDS.sqlite],
      }),
      project("smoke", 5, { include: [files(ALL, SMOKE)], globalSetup: [NEEDS.build] }),
      project("slow", 10, {
        include: [files(ALL, SLOW), files(ALL, RANDOM)],
        exclude: ["**/node_modules/**", BROWSER, PACKED, ...POSTGRES],
        globalSetup: [NEEDS.sqlite, NEEDS.build],
      }),
      project("postgres", 10, {
        include: POSTGRES,
        globalSetup: [NEEDS.build, "internal/test-kit/src/postgres/global-setup.ts"],
      }),
      project("packed", 10, { include: [PACKED], globalSetup: [NEEDS.sqlite, NEEDS.types] }),
      project("browser", 10, {
        include: [BROWSER],
        globalSetup: [NEEDS.build],
        // A browser for each: pages wait more than they compute.
        maxWorkers: 2,
        // Where projects run at once, vitest asks for an order of different numbers of workers.
        sequence: { groupOrder: 1 },
      }),
    ],
  },
})

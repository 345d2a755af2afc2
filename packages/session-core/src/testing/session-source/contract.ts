import { registerSuite, type TestRunner } from "../suite.js"
import { type SessionSourceCandidate, sourceShortcuts } from "./fixture.js"
import { sourceTests } from "./source-tests.js"

/**
 * Registers the contract tests of the `SessionSource` port with the runner, for sources whose sessions another program writes.
 * `sessionStorageContract` has them, too.
 */
export function sessionSourceContract(runner: TestRunner, candidate: SessionSourceCandidate): void {
  registerSuite(runner, {
    name: `${candidate.name} keeps the SessionSource contract`,
    groups: { "a source": sourceTests },
    reasonToSkip: (need) => (need === "reopen" || candidate.example[need] ? undefined : `it has no ${need}`),
    open: async () => {
      const setup = await candidate.setup()
      const { source } = setup
      return {
        ...sourceShortcuts(source),
        source,
        others: async () => setup,
        reopen: () => setup.reopen(),
        close: () => setup.teardown(),
      }
    },
  })
}

import { MemorySessionStorage } from "@treelog/session-core"
import { sessionStorageContract, type TestRunner } from "@treelog/session-core/testing"
import { LapsingStorage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"

const candidate = {
  name: "a storage",
  example: new MemorySessionStorage(),
  setup: async () => ({ storage: new MemorySessionStorage(), teardown: async () => {} }),
}
const describeNow = (_: string, body: () => void) => body()
const DURABLE_LAW = "holds what was written and synced"

describe("the face of a test runner", () => {
  it("is satisfied by any `describe` and `it`; a law that does not apply then says so in its name", () => {
    const names: string[] = []
    sessionStorageContract({ describe: describeNow, it: (name: string) => names.push(name) }, candidate)
    expect(names).toContain(`${DURABLE_LAW} (skipped: the option durable is not set)`)
  })

  it("takes `it.skip` for laws that do not apply, with the reason in the name", () => {
    const skipped: string[] = []
    const register = Object.assign(() => {}, { skip: (name: string) => skipped.push(name) })
    sessionStorageContract({ describe: describeNow, it: register }, candidate)
    expect(skipped).toContain(`${DURABLE_LAW} (skipped: the option durable is not set)`)
    expect(
      skipped.every((name) =>
        /\(skipped: (the option \w+ is not set|neither the option \w+ nor \w+ is set|it has no \w+)\)$/.test(name),
      ),
    ).toBe(true)
  })

  it("gives the reason as a value to a runner that has a `skip` of its own", () => {
    const skipped: string[][] = []
    const runner: TestRunner = {
      describe: describeNow,
      it: () => {},
      skip: (name, reason) => skipped.push([name, reason]),
    }
    sessionStorageContract(runner, candidate)
    expect(skipped).toContainEqual([DURABLE_LAW, "the option durable is not set"])
  })

  it("tears a storage down also when its law fails", async () => {
    const bodies: (() => Promise<void>)[] = []
    let torn = 0
    const broken = {
      ...candidate,
      example: new LapsingStorage({ leaseMs: 1000 }),
      setup: async () => ({ storage: new MemorySessionStorage(), teardown: async () => void torn++ }),
    }
    sessionStorageContract({ describe: describeNow, it: (_: string, body) => bodies.push(body) }, broken)
    await expect(bodies[0]?.()).rejects.toThrow("whether it has `leasesExpire`")
    expect(torn).toBe(1)
  })
})

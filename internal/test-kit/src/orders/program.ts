import fc, { type Arbitrary } from "fast-check"

/** One thing that an actor does. Without `await`, the actor continues at once. */
export interface Step {
  readonly do: (typeof SESSION_STEPS)[number] | (typeof FOREIGN_STEPS)[number]
  /** Which entry, image or end, where that matters. */
  readonly choice: number
  readonly waits: boolean
}

export interface Actor {
  readonly access: "exclusive" | "shared" | "read" | "none"
  /** Whether its appends are stored when they return, where the storage can do that. */
  readonly writesThrough: boolean
  readonly steps: readonly Step[]
}

/** A call that fails: the one with that number of all calls of the method, before it has done anything. */
export interface Failure {
  readonly method: "stat" | "readRange" | "lease" | "append" | "create" | "sync" | "release" | "watch" | "put" | "write"
  readonly number: number
}

export interface Program {
  /** Whether the storage writes without promises too, as files are written. */
  readonly writesSync: boolean
  readonly actors: readonly Actor[]
  readonly failure: Failure | null
}

const SESSION_STEPS = [
  "append",
  "append",
  "append image",
  "flush",
  "flush sync",
  "branch",
  "copy branch",
  "stream branch",
  "compact",
  "refresh",
  "watch",
  "switch",
  "new",
  "reopen",
  "delete",
  "retry",
  "save as",
] as const

const FOREIGN_STEPS = [
  "foreign append",
  "foreign append",
  "foreign append",
  "foreign replace",
  "foreign remove",
] as const

/** Objects as one writes them, so that a failing program is easy to read. */
function record<T>(fields: { [Key in keyof T]: Arbitrary<T[Key]> }): Arbitrary<T> {
  return fc.record(fields, { noNullPrototype: true }) as Arbitrary<T>
}

function steps(names: readonly Step["do"][], maxLength: number): Arbitrary<Step[]> {
  // Most faults are about the newest entry.
  const choice = fc.oneof(fc.constant(0), fc.nat(5))
  const step = record({ do: fc.constantFrom(...names), choice, waits: fc.boolean() })
  return fc.array(step, { minLength: 1, maxLength })
}

const writer: Arbitrary<Actor> = record({
  access: fc.constantFrom("exclusive" as const, "shared" as const, "shared" as const, "read" as const),
  writesThrough: fc.boolean(),
  steps: steps(SESSION_STEPS, 6),
})
const foreign: Arbitrary<Actor> = record({
  access: fc.constant("none" as const),
  writesThrough: fc.constant(false),
  steps: steps(FOREIGN_STEPS, 3),
})
const failure: Arbitrary<Failure> = record({
  method: fc.constantFrom("stat", "readRange", "lease", "append", "create", "sync", "release", "watch", "put", "write"),
  number: fc.nat(6),
})

/** What two or three programs do to one session at the same time. */
export const program: Arbitrary<Program> = record({
  writesSync: fc.boolean(),
  actors: fc
    .tuple(writer, fc.oneof(writer, foreign), fc.option(foreign, { nil: undefined }))
    .map((actors) => actors.filter((actor) => actor !== undefined)),
  failure: fc.option(failure, { freq: 2, nil: null }),
})

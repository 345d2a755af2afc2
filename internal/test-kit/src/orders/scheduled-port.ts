import type { Scheduler } from "fast-check"

/** Which members of a port wait for the scheduler; all others are as they are. */
export interface PortShape {
  /** Methods that give promises. */
  readonly promises: readonly string[]
  /** Methods that give async iterables: each item waits. */
  readonly iterables?: readonly string[]
  /** What a method or a property gives that is a port itself. */
  readonly ports?: Readonly<Record<string, PortShape>>
}

export const LEASE: PortShape = {
  promises: ["create", "append", "sync", "replace", "move", "remove", "release"],
}

export const SESSION_STORAGE: PortShape = {
  promises: ["stat", "readRange", "openRanges", "lease", "leaseAndAppend"],
  iterables: ["list", "watch"],
  ports: { lease: LEASE, leaseSync: LEASE, breadcrumbs: { promises: ["read", "write"] } },
}

export const BLOB_STORE: PortShape = {
  promises: ["put", "get", "has", "size"],
  iterables: ["list", "openRead"],
}

export interface ScheduledPortOptions {
  readonly scheduler: Scheduler
  /** Whose port it is, for the report of the scheduler. */
  readonly owner: string
  /** Called before each call does anything, and after a release, which takes effect also where it fails. What it throws the call throws. */
  readonly onCall?: (method: string) => void
}

/**
 * A port whose calls begin and end when the scheduler says so: a call waits before it does anything, and its answer waits before
 * it reaches the caller. So everything that can happen between the two does, in one order or another.
 */
export function scheduledPort<Port extends object>(port: Port, shape: PortShape, options: ScheduledPortOptions): Port {
  const { scheduler, owner, onCall } = options
  const turn = (label: string) => scheduler.schedule(Promise.resolve(), `${owner}.${label}`)
  const wrapped = (value: unknown, name: string): unknown => {
    const inner = shape.ports?.[name]
    return inner && typeof value === "object" && value !== null ? scheduledPort(value, inner, options) : value
  }
  const called = async (name: string, call: () => Promise<unknown>): Promise<unknown> => {
    await turn(`${name} begins`)
    try {
      if (name !== "release") onCall?.(name)
      const answer = await call()
      if (name === "release") onCall?.(name)
      return wrapped(answer, name)
    } finally {
      await turn(`${name} ends`)
    }
  }
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof name !== "string") return member
      if (typeof member !== "function") return wrapped(member, name)
      const bound = (...args: unknown[]): unknown => Reflect.apply(member, target, args)
      if (shape.promises.includes(name)) return (...args: unknown[]) => called(name, async () => bound(...args))
      if (!shape.iterables?.includes(name)) return (...args: unknown[]) => wrapped(bound(...args), name)
      return (...args: unknown[]) => eachInTurn(bound(...args) as AsyncIterable<unknown>, (next) => called(name, next))
    },
  })
}

/** The iterable with each `next` called by `inTurn`. Leaving it is passed on. */
function eachInTurn<Item>(
  items: AsyncIterable<Item>,
  inTurn: (next: () => Promise<unknown>) => Promise<unknown>,
): AsyncIterable<Item> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = items[Symbol.asyncIterator]()
      return {
        next: async () => (await inTurn(() => iterator.next())) as IteratorResult<Item>,
        return: async (value) => (await iterator.return?.(value)) ?? { done: true, value: undefined },
      }
    },
  }
}

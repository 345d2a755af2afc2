import { type SessionStorage, TreelogError } from "@treelog/session-core"
import type { Lease } from "@treelog/session-core/adapter"

/** A call that stores bytes, and whose answer can be lost. */
export type StoringCall = "create" | "append" | "leaseAndAppend"

/**
 * The storage as on a network that loses answers: the call is done, and its caller gets a StorageError.
 * @param loses decides for each call that was done
 */
export function losingAnswers<Storage extends SessionStorage>(
  storage: Storage,
  loses: (call: StoringCall) => boolean,
): Storage {
  const answered = async <T>(call: StoringCall, key: string, work: Promise<T>): Promise<T> => {
    const result = await work
    if (!loses(call)) return result
    const message = `The answer to ${call} of ${key} was lost`
    throw new TreelogError("StorageError", message, { key, operation: call, errno: "ECONNRESET" })
  }
  const losingLease = (lease: Lease): Lease =>
    withMembers(lease, {
      create: (...args) => answered("create", lease.key, lease.create(...args)),
      append: (...args) => answered("append", lease.key, lease.append(...args)),
    })
  const { leaseAndAppend } = storage
  return withMembers<SessionStorage>(storage, {
    lease: async (...args) => losingLease(await storage.lease(...args)),
    ...(leaseAndAppend && {
      leaseAndAppend: (key, ...args) => answered("leaseAndAppend", key, leaseAndAppend.call(storage, key, ...args)),
    }),
  }) as Storage
}

/** The object with other members in the place of some of its own; its methods run on the object itself. */
function withMembers<T extends object>(object: T, members: { [Name in keyof T]?: T[Name] | undefined }): T {
  return new Proxy(object, {
    get(target, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name)
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === "function" ? member.bind(target) : member
    },
  })
}

/** The storage, and a function that makes it lose the answer to the next append, for contract tests. */
export function losingNextAnswer<Storage extends SessionStorage>(
  storage: Storage,
): { readonly storage: Storage; loseNextAnswer(): void } {
  let isNext = false
  const losing = losingAnswers(storage, (call) => {
    if (call === "create" || !isNext) return false
    isNext = false
    return true
  })
  return {
    storage: losing,
    loseNextAnswer: () => {
      isNext = true
    },
  }
}

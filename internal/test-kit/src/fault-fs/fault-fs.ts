import { CrashError, type FaultPlan, isHalf, isMutating, isWrite, systemError } from "./fault.js"

type Call = (...args: unknown[]) => unknown
interface OpenHandle {
  close(): Promise<void>
}

/**
 * Wraps a file system (any object whose functions are named and shaped as those of `node:fs/promises`), counts
 * the calls, and makes those of the plan fail. The calls of open files count as `file.write` and so on. `watch` is not counted. It is armed from the start, unless it waits for
 * `arm()`.
 */
export class FaultFs<T extends object> {
  readonly fs: T
  /** The names of the calls since it was armed. */
  readonly calls: string[] = []
  /** The name of the first call that failed. */
  hit: string | undefined
  isCrashed = false
  readonly #plan: FaultPlan | undefined
  readonly #handles = new Set<OpenHandle>()
  #isArmed: boolean
  #isFull = false
  #seen = 0

  constructor(real: T, plan?: FaultPlan, options: { armed?: boolean } = {}) {
    this.#plan = plan
    this.#isArmed = options.armed ?? true
    this.fs = this.#wrapped(real, "")
  }

  arm(): void {
    this.#isArmed = true
  }

  /** From here on the disk is a good one; a crashed process stays dead. */
  disarm(): void {
    this.#isArmed = false
  }

  #wrapped<O extends object>(real: O, prefix: string): O {
    return new Proxy(real, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== "function" || typeof name === "symbol" || name === "watch") return value
        if (name.endsWith("Sync"))
          return (...args: unknown[]) => this.#callSync(`${prefix}${name}`, target, value as Call, args)
        return (...args: unknown[]) => this.#call(`${prefix}${name}`, target, value as Call, args)
      },
    })
  }

  async #call(operation: string, target: object, real: Call, args: unknown[]): Promise<unknown> {
    const { carriesOut, error } = this.#outcome(operation, args)
    const result = carriesOut && (await real.apply(target, carriesOut))
    if (error) {
      await this.#forget(result)
      if (this.isCrashed) await this.#closeAll()
      throw error
    }
    if (operation === "file.close") this.#handles.delete(target as OpenHandle)
    if (operation !== "open") return result
    this.#handles.add(result as OpenHandle)
    return this.#wrapped(result as OpenHandle, "file.")
  }

  #callSync(operation: string, target: object, real: Call, args: unknown[]): unknown {
    const { carriesOut, error } = this.#outcome(operation, args)
    const result = carriesOut && real.apply(target, carriesOut)
    if (error) throw error
    return operation === "openSync" ? this.#wrapped(result as object, "file.") : result
  }

  /** With which arguments the call is carried out, if it is, and how it fails then, if it does. */
  #outcome(operation: string, args: unknown[]): { carriesOut?: unknown[]; error?: Error } {
    if (this.isCrashed) return { error: new CrashError(operation) }
    if (this.#isArmed) this.calls.push(operation)
    const plan = this.#plan
    if (plan === undefined || !this.#isArmed || !this.#isDue(operation, args, plan)) return { carriesOut: args }
    const { fault, late } = plan
    if (fault === "short" || (fault === "short-ENOSPC" && !this.#isFull)) {
      this.#isFull = fault === "short-ENOSPC"
      return { carriesOut: half(args) }
    }
    this.#isFull = false
    this.isCrashed = fault === "crash" || fault === "torn-crash"
    const error = this.isCrashed
      ? new CrashError(operation)
      : systemError(fault === "short-ENOSPC" ? "ENOSPC" : fault, operation)
    if (late || /^file\.close/.test(operation)) return { carriesOut: args, error }
    return fault === "torn-crash" ? { carriesOut: half(args), error } : { error }
  }

  #isDue(operation: string, args: readonly unknown[], plan: FaultPlan): boolean {
    if (this.#isFull) return true
    if (plan.operation !== undefined && plan.operation !== operation) return false
    if (plan.mutating && !isMutating(operation, args)) return false
    if (isHalf(plan.fault) && !isWrite(operation)) return false
    const first = plan.at ?? 1
    this.#seen++
    if (this.#seen < first || this.#seen >= first + (plan.times ?? 1)) return false
    this.hit ??= operation
    return true
  }

  /** Closes what is not used any more. One that is closed already is left at that. */
  async #forget(result: unknown): Promise<void> {
    const isOpen = typeof result === "object" && result !== null && "close" in result
    if (isOpen) await Promise.allSettled([(result as OpenHandle).close()])
  }

  /** A dead process holds no file open. */
  async #closeAll(): Promise<void> {
    for (const handle of this.#handles) await handle.close()
    this.#handles.clear()
  }
}

/** The arguments of a write (a text; or buffer, offset, length, position) that writes half of it. */
function half([buffer, offset, length, ...rest]: unknown[]): unknown[] {
  if (typeof buffer === "string") return [buffer.slice(0, buffer.length / 2)]
  return [buffer, offset, Math.floor((length as number) / 2), ...rest]
}

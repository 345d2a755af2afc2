import { type FsPort, nodeFs } from "@treelog/storage-fs"

/** The system's file system, which does something before the call with this number; and how many calls there were. */
export function beforeCall(call: number, work: () => void): { readonly fs: FsPort; readonly count: () => number } {
  let count = 0
  const fs = new Proxy(nodeFs, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member !== "function") return member
      return (...args: unknown[]) => {
        count += 1
        if (count === call) work()
        return member.apply(target, args)
      }
    },
  })
  return { fs, count: () => count }
}

/** Loaded when it is used: loading it takes longer than a list does, and a list does not need it. */
export function nodeCrypto(): typeof import("node:crypto") {
  return process.getBuiltinModule("node:crypto")
}

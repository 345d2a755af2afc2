// Node's modules that are loaded when they are used: loading each takes a good part of what a list takes, which needs none of them.

export function nodeCrypto(): typeof import("node:crypto") {
  return process.getBuiltinModule("node:crypto")
}

export function nodeChildProcess(): typeof import("node:child_process") {
  return process.getBuiltinModule("node:child_process")
}

export function nodeNet(): typeof import("node:net") {
  return process.getBuiltinModule("node:net")
}

export function nodeWorkerThreads(): typeof import("node:worker_threads") {
  return process.getBuiltinModule("node:worker_threads")
}

export function nodeTty(): typeof import("node:tty") {
  return process.getBuiltinModule("node:tty")
}

import { cpus, loadavg, platform, release, totalmem } from "node:os"

/** On what the figures were taken. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  readonly node: string
  /** Processes that wanted the machine in the minute before: above 0.5 or so, the figures are those of a busy one. */
  readonly load: number
}

export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}

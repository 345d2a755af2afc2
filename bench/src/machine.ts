import { statfsSync } from "node:fs"
import { cpus, loadavg, platform, release, tmpdir, totalmem } from "node:os"

/** On what the figures were taken. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  /** The file system of the folder for temporary files, in which everything is done. */
  readonly files: string
  readonly node: string
  /** Processes that wanted the machine in the minute before: above 0.5 or so, the figures are those of a busy one. */
  readonly load: number
}

const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  61267: "ext4",
  16914836: "tmpfs",
  1481003842: "xfs",
  2435016766: "btrfs",
  2035054128: "overlay",
}

export function thisMachine(): Machine {
  const { type } = statfsSync(tmpdir())
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    files: FILE_SYSTEMS[type] ?? `file system 0x${type.toString(16)}`,
    node: process.version,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}

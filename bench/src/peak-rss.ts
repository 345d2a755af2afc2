import { existsSync, readFileSync } from "node:fs"

const STATUS = "/proc/self/status"

/**
 * Most memory that this process had, in bytes. On Linux the kernel's own figure of this program is read: that of
 * `resourceUsage` begins with what the process had that started it.
 */
export function peakRss(): number {
  const kilobytes = existsSync(STATUS) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(STATUS, "utf8"))?.[1] : undefined
  return Number(kilobytes ?? process.resourceUsage().maxRSS) * 1024
}

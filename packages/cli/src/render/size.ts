import { numberText } from "./number.js"

const UNITS = ["KB", "MB", "GB", "TB"] as const

/** `512 B`, `12 KB`, `3.4 MB`, by 1,000: how every size is printed. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  let size = bytes
  for (const unit of UNITS) {
    size /= 1000
    const text = unit === "KB" ? String(Math.round(size)) : size.toFixed(1)
    if (Number(text) < 1000) return `${text} ${unit}`
  }
  return `${numberText(Math.round(size))} TB`
}

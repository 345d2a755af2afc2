/** `999`, `1,002`: how every count is printed, without the tables of `toLocaleString`, which are slow to load. */
export function numberText(count: number): string {
  const text = String(count)
  return text.length > 3 ? text.replace(/\B(?=(?:\d{3})+$)/g, ",") : text
}

/** `1 entry`, `1,002 entries`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`
}

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

/** `22 blobs, 4.5 MB`. */
export function tallyText({ count, bytes }: { count: number; bytes: number }, one = "blob"): string {
  return `${plural(count, one)}, ${sizeText(bytes)}`
}

import type { JSX } from "preact"

/** Drawings of 16 by 16, in lines of the text's colour. They say nothing that does not stand beside them in words. */
const PATHS = {
  tree: "M4 2.5v11M4 6h4a2 2 0 0 1 2 2v0a2 2 0 0 0 2 2h1M4 12.5h5",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.6 10.6 14 14",
  close: "m4 4 8 8M12 4l-8 8",
  chevron: "m6 3.5 4.5 4.5L6 12.5",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1.2v1.6M8 13.2v1.6M1.2 8h1.6M13.2 8h1.6M3.2 3.2l1.1 1.1M11.7 11.7l1.1 1.1M3.2 12.8l1.1-1.1M11.7 4.3l1.1-1.1",
  moon: "M13.5 9.7A6 6 0 0 1 6.3 2.5a6 6 0 1 0 7.2 7.2Z",
  chart: "M2 13.5h12M3.5 11 6.5 7l2.5 2.5L13 4",
  open: "M2 12.5v-9A1 1 0 0 1 3 2.5h3.2l1.6 2H13a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1Z",
  help: "M6 6a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6.9v.4M8 11.6v.1M8 14.5A6.5 6.5 0 1 0 8 1.5a6.5 6.5 0 0 0 0 13Z",
  save: "M8 2v8M4.8 7 8 10.2 11.2 7M2.5 13.5h11",
  link: "M6.7 9.3a2.8 2.8 0 0 0 4 0l2.1-2.1a2.8 2.8 0 0 0-4-4l-.7.7M9.3 6.7a2.8 2.8 0 0 0-4 0L3.2 8.8a2.8 2.8 0 0 0 4 4l.7-.7",
  braces:
    "M6 2.5H5A1.5 1.5 0 0 0 3.5 4v2A1.5 1.5 0 0 1 2 7.5v1A1.5 1.5 0 0 1 3.5 10v2A1.5 1.5 0 0 0 5 13.5h1M10 2.5h1A1.5 1.5 0 0 1 12.5 4v2A1.5 1.5 0 0 0 14 7.5v1a1.5 1.5 0 0 0-1.5 1.5v2a1.5 1.5 0 0 1-1.5 1.5h-1",
  user: "M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8ZM3 13.6a5 5 0 0 1 10 0",
  assistant: "M8 1.8 9.6 6.4 14.2 8 9.6 9.6 8 14.2 6.4 9.6 1.8 8l4.6-1.6Z",
  tool: "M10 2.2a3.4 3.4 0 0 0-3.2 4.6L2.4 11.2a1.7 1.7 0 0 0 2.4 2.4l4.4-4.4A3.4 3.4 0 0 0 13.6 5l-2 2-2-.5L9 4.4l2-2a3.4 3.4 0 0 0-1-.2Z",
  bash: "M2 3.5h12v9H2ZM4.5 6.2 6.3 8l-1.8 1.8M7.8 10h3",
  compaction: "M8 1.8v4M6 4l2 2 2-2M8 14.2v-4M6 12l2-2 2 2M2.5 8h11",
  branch:
    "M4.5 5.2v5.6M4.5 5.2a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM4.5 13.8a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM11.5 6.2a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM11.5 6.2c0 2.6-4 2-6.6 4.7",
  thinking: "M5.2 10.6A4.4 4.4 0 1 1 10.8 10.6c-.5.4-.8.9-.8 1.5v.3H6v-.3c0-.6-.3-1.1-.8-1.5ZM6.4 14.4h3.2",
  system: "M2.5 4h7M12.5 4h1M2.5 8h1M6.5 8h7M2.5 12h5M10.5 12h3M11 2.8v2.4M5 6.8v2.4M9 10.8v2.4",
  custom: "M2.5 4.5 8 1.8l5.5 2.7v7L8 14.2l-5.5-2.7ZM2.5 4.5 8 7.3l5.5-2.8M8 7.3v6.9",
  reset: "M3 8a5 5 0 1 1 1.6 3.7M3 12.5V9.4h3.1",
  note: "M5 8h6",
  label: "M8.7 2.2h4a1 1 0 0 1 1 1v4L7.6 13.4a1.2 1.2 0 0 1-1.7 0L2.6 10a1.2 1.2 0 0 1 0-1.7ZM11 5v.1",
  picture: "M2.5 3h11v10h-11ZM2.5 11l3.3-3.4 2.5 2.4 2-1.8 3.2 3M10.3 5.9v.1",
  check: "m3 8.5 3.2 3.2L13 4.8",
  cross: "m4 4 8 8M12 4l-8 8",
  warning: "M8 2 14.3 13.2H1.7ZM8 6.2v3.4M8 11.4v.1",
  copy: "M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3",
  unfold: "M5 5.5 8 2.5l3 3M5 10.5l3 3 3-3",
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}

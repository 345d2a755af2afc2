/** Text that was typed or pasted, or a key. */
export type KeyPress =
  | { readonly kind: "text"; readonly text: string; readonly isPasted: boolean }
  | { readonly kind: "key"; readonly name: KeyName }

/** `ctrl-a` to `ctrl-z` but those that are keys of their own: `ctrl-h` is Backspace, `ctrl-i` Tab, `ctrl-m` Enter. */
export type KeyName =
  | "enter"
  | "escape"
  | "tab"
  | "shift-tab"
  | "up"
  | "down"
  | "left"
  | "right"
  | "page-up"
  | "page-down"
  | "home"
  | "end"
  | "backspace"
  | "alt-backspace"
  | `ctrl-${string}`

/** What keys do, for people. */
export type KeyHelp = readonly [keys: string, does: string]

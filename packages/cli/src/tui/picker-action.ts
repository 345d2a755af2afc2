/** What a key means, or another event. */
export type PickerAction =
  | { readonly kind: "type"; readonly text: string }
  | { readonly kind: "erase"; readonly what: "character" | "word" | "all" }
  /** `by` rows; negative is up. */
  | { readonly kind: "move"; readonly by: number }
  /** `by` screens. */
  | { readonly kind: "page"; readonly by: number }
  | { readonly kind: "scope"; readonly by: number }
  | { readonly kind: "accept" }
  | { readonly kind: "leave" }
  /** There is room for so many rows of prompts now. */
  | { readonly kind: "resize"; readonly height: number }

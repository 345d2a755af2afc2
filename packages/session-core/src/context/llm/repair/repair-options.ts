/** Options for `repairContext`. */
export interface RepairOptions {
  /** False for a model that reads no images: each is replaced by a text. Default true. */
  readonly images?: boolean | undefined
}

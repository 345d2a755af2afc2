/** What the model takes. */
export interface RepairOptions {
  /** False for a model that reads no images: each becomes a note. Default true. */
  readonly images?: boolean | undefined
}

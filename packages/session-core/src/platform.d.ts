// The web-standard globals that the core uses, which browsers, workers, Node, Bun and Deno all have; and one that need not be there.
// The core compiles without the types of the DOM and of Node, so that nothing else can be used by accident.

declare class TextEncoder {
  encode(text: string): Uint8Array
  encodeInto(text: string, into: Uint8Array): { written: number }
}

declare class TextDecoder {
  constructor(label: "utf-8", options: { fatal: boolean; ignoreBOM: boolean })
  decode(bytes: Uint8Array): string
}

/** The text has one UTF-16 unit for each byte. */
declare function atob(base64: string): string
declare function btoa(binary: string): string

declare const crypto: {
  getRandomValues(bytes: Uint8Array): Uint8Array
  readonly subtle: { digest(algorithm: "SHA-256", bytes: Uint8Array): Promise<ArrayBuffer> }
}

interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: "abort", listener: () => void): void
}

declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}

declare function setTimeout(callback: () => void, ms: number): unknown

/** Only in Node and in what imitates it, of which some lack these functions. */
declare var Buffer:
  | {
      readonly prototype?: {
        latin1Slice(this: Uint8Array, from: number, to: number): string
        indexOf(this: Uint8Array, value: number | string, from: number, encoding?: "latin1"): number
      }
    }
  | undefined

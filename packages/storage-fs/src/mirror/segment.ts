/** A file of a mirror: some bytes of one object, which never change. All that is known of it is in its name. */
export interface Segment {
  /** Distinguishes the object from others that had the same key. */
  readonly object: string
  /** The range of bytes of the object. */
  readonly start: number
  readonly end: number
  /** The checksum of the key, the identity, the start and the bytes. */
  readonly crc: number
}

const NAME = /^([0-9a-f]{16})-(\d{1,16})-(\d{1,16})-([0-9a-f]{8})\.part$/

export function segmentName({ object, start, end, crc }: Segment): string {
  return `${object}-${start}-${end}-${crc.toString(16).padStart(8, "0")}.part`
}

/** Undefined for any other file. */
export function parseSegmentName(name: string): Segment | undefined {
  const [, object, start, end, crc] = NAME.exec(name) ?? []
  if (object === undefined || crc === undefined) return undefined
  const segment = { object, start: Number(start), end: Number(end), crc: Number.parseInt(crc, 16) }
  return segment.start < segment.end ? segment : undefined
}

/** Those that hold the bytes from 0 on without a gap, in their order. Each one reaches further than those before it. */
export function withoutGap(segments: readonly Segment[]): Segment[] {
  const covering: Segment[] = []
  for (let end = 0; ; ) {
    const next = furthest(segments.filter(({ start }) => start <= end))
    if (!next || next.end <= end) return covering
    covering.push(next)
    end = next.end
  }
}

function furthest(segments: readonly Segment[]): Segment | undefined {
  let found: Segment | undefined
  for (const segment of segments) if (!found || segment.end > found.end) found = segment
  return found
}

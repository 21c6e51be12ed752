import { StoreFault } from '../store/fault.ts'

/** The frame types between linked processes. Both ends always run the same version. */
export const frameTypes = {
  subscribe: 1,
  submit: 2,
  ask: 3,
  publish: 4,
  state: 5,
  released: 6,
  refused: 7,
  answer: 8,
  head: 9,
} as const

export type FrameType = (typeof frameTypes)[keyof typeof frameTypes]

const headerBytes = 8
const frameMax = 1 << 28

/** One frame: length of the body and type as 32-bit little-endian numbers, then the parts of the body. */
export function frame(type: FrameType, ...parts: readonly Uint8Array[]): Buffer {
  return frameHead(type, bytesIn(parts), ...parts)
}

/** The header of a frame with a body of `bodyBytes`, and its first `parts`; the caller writes the rest of the body after it. */
export function frameHead(type: FrameType, bodyBytes: number, ...parts: readonly Uint8Array[]): Buffer {
  const buffer = Buffer.allocUnsafe(headerBytes + bytesIn(parts))
  buffer.writeUInt32LE(bodyBytes, 0)
  buffer.writeUInt32LE(type, 4)
  let at = headerBytes
  for (const part of parts) {
    buffer.set(part, at)
    at += part.byteLength
  }
  return buffer
}

function bytesIn(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.byteLength, 0)
}

export function jsonFrame(type: FrameType, value: unknown): Buffer {
  return frame(type, Buffer.from(JSON.stringify(value)))
}

export function parseJson<T>(body: Buffer): T {
  return JSON.parse(body.toString('utf8')) as T
}

export function bytesOf(numbers: Float64Array | Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/** An aligned copy of the slots in a body, which can be anywhere in a socket's buffer. */
export function slotsOf(body: Buffer): Float64Array<ArrayBuffer> {
  return new Float64Array(copyOf(body))
}

export function numbersOf(body: Buffer): Uint32Array {
  return new Uint32Array(copyOf(body))
}

/** A real copy: `slice` of a Buffer gives only another view of the same bytes. */
function copyOf(body: Buffer): ArrayBuffer {
  const copy = new Uint8Array(body.length)
  copy.set(body)
  return copy.buffer
}

/** Cuts a byte stream into frames. A body is valid only during the call. */
export class FrameReader {
  readonly #onFrame: (type: FrameType, body: Buffer) => void
  #parts: Buffer[] = []
  #held = 0
  #needed = headerBytes

  constructor(onFrame: (type: FrameType, body: Buffer) => void) {
    this.#onFrame = onFrame
  }

  push(chunk: Buffer): void {
    this.#parts.push(chunk)
    this.#held += chunk.length
    if (this.#held < this.#needed) return
    const bytes = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts)
    let at = 0
    this.#needed = headerBytes
    while (bytes.length - at >= headerBytes) {
      const bodyBytes = bytes.readUInt32LE(at)
      if (bodyBytes > frameMax) throw new StoreFault(`A linked process sent a frame of ${bodyBytes} bytes`)
      const end = at + headerBytes + bodyBytes
      if (end > bytes.length) {
        this.#needed = end - at
        break
      }
      this.#onFrame(bytes.readUInt32LE(at + 4) as FrameType, bytes.subarray(at + headerBytes, end))
      at = end
    }
    this.#parts = at < bytes.length ? [bytes.subarray(at)] : []
    this.#held = bytes.length - at
  }
}

import { SignerRefused } from './reasons.ts'

/** The link to the signer: JSON texts, each after its length as a 32-bit little-endian number. */

/** No request and no answer is longer. */
const frameMax = 64 * 1024

/** throws  SignerRefused BAD_REQUEST for one that is longer: it would end the connection */
export function frame(value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(value))
  if (body.length > frameMax) throw new SignerRefused('BAD_REQUEST')
  const head = Buffer.alloc(4)
  head.writeUInt32LE(body.length)
  return Buffer.concat([head, body])
}

/** Cuts a byte stream into texts. */
export class FrameReader {
  readonly #onText: (text: string) => void
  #held: Buffer = Buffer.alloc(0)

  constructor(onText: (text: string) => void) {
    this.#onText = onText
  }

  /** throws  Error when the stream does not follow the form: nothing more may be read from it */
  push(chunk: Buffer): void {
    this.#held = Buffer.concat([this.#held, chunk])
    while (this.#held.length >= 4) {
      const length = this.#held.readUInt32LE()
      if (length > frameMax) throw new Error(`A frame of ${length} bytes`)
      if (this.#held.length < 4 + length) return
      const body = this.#held.subarray(4, 4 + length)
      this.#held = this.#held.subarray(4 + length)
      this.#onText(new TextDecoder('utf-8', { fatal: true }).decode(body))
    }
  }
}

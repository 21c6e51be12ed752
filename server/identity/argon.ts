import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { Refused } from '../refused.ts'

/** 19 MiB, two passes, one lane: about 40 ms of one core. */
const parameters = { memory: 19_456, passes: 2, parallelism: 1 } as const
const tagLength = 32

/**
 * argon2id one at a time: each run takes a thread of the pool and 19 MiB, and a flood of logins may not take the
 * machine from the orders.
 */
export class Argon {
  readonly #waitingMax: number
  #tail: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** waitingMax  more than these are turned away with UNAVAILABLE, at 40 ms each */
  constructor(waitingMax = 200) {
    this.#waitingMax = waitingMax
  }

  /** The tag of a short secret; deterministic for a given nonce (16 bytes). */
  tag(secret: string, nonce: Buffer): Promise<Buffer> {
    return this.#run(secret, nonce, parameters)
  }

  /** A PHC string, as other argon2 implementations read and write it. */
  async hash(password: string): Promise<string> {
    const nonce = randomBytes(16)
    const tag = await this.#run(password, nonce, parameters)
    const { memory, passes, parallelism } = parameters
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
  }

  /** With `undefined` for the PHC string of somebody who does not exist: false, after the same work. */
  async verify(password: string, phc: string | undefined): Promise<boolean> {
    const { memory, passes, parallelism, nonce, tag } = parse(phc ?? nobody)
    const found = await this.#run(password, nonce, { memory, passes, parallelism })
    return timingSafeEqual(found, tag) && phc !== undefined
  }

  async #run(message: string, nonce: Buffer, cost: { memory: number; passes: number; parallelism: number }): Promise<Buffer> {
    if (this.#waiting >= this.#waitingMax) throw new Refused('UNAVAILABLE', { retryAfter: 5 })
    this.#waiting++
    const run = () =>
      new Promise<Buffer>((resolve, reject) => {
        argon2('argon2id', { message: message.normalize('NFKC'), nonce, tagLength, ...cost }, (error, tag) => {
          this.#waiting--
          if (error) reject(error)
          else resolve(tag)
        })
      })
    const result = this.#tail.then(run, run)
    this.#tail = result
    return result
  }
}

const form = /^\$argon2id\$v=19\$m=([0-9]+),t=([0-9]+),p=([0-9]+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function parse(phc: string) {
  const [, memory, passes, parallelism, nonce, tag] = form.exec(phc) ?? []
  if (nonce === undefined || tag === undefined) throw new Error('A stored password is not an argon2id PHC string')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

/** True when the stored string was made at another cost than today's. */
export function isOutdated(phc: string): boolean {
  const { memory, passes, parallelism } = parse(phc)
  return memory !== parameters.memory || passes !== parameters.passes || parallelism !== parameters.parallelism
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

const nobody = `$argon2id$v=19$m=${parameters.memory},t=${parameters.passes},p=${parameters.parallelism}$${unpadded(randomBytes(16))}$${unpadded(randomBytes(tagLength))}`

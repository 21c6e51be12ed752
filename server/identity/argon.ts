import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { Refused } from '../refused.ts'

/** 19 MiB, two passes, one lane: about 40 ms of one core. */
const parameters = { memory: 19_456, passes: 2, parallelism: 1 } as const
const tagLength = 32

/** The queue of a run: known devices and sessions, or everybody else. A flood in the second queue never delays the first. */
export type Lane = 'known' | 'stranger'

/** argon2id, one run at a time: each takes a thread of the pool and 19 MiB, so a flood of logins can't slow down orders. */
export class Argon {
  readonly #waitingMax: number
  readonly #waiting: Readonly<Record<Lane, (() => Promise<unknown>)[]>> = { known: [], stranger: [] }
  /** Runs in progress and waiting ones. */
  readonly #counts: Record<Lane, number> = { known: 0, stranger: 0 }
  #isRunning = false

  /** waitingMax  of each queue; beyond it callers get UNAVAILABLE (each run takes about 40 ms) */
  constructor(waitingMax = 200) {
    this.#waitingMax = waitingMax
  }

  /** The tag of a short secret; deterministic for a given nonce (16 bytes). */
  tag(secret: string, nonce: Buffer, lane: Lane = 'stranger'): Promise<Buffer> {
    return this.#run(secret, nonce, parameters, lane)
  }

  /** A PHC string, as other argon2 implementations read and write it. */
  async hash(password: string, lane: Lane = 'stranger'): Promise<string> {
    const nonce = randomBytes(16)
    const tag = await this.#run(password, nonce, parameters, lane)
    const { memory, passes, parallelism } = parameters
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
  }

  /** Checks a password. With `undefined` for the PHC string of an unknown account: false, after the same work. */
  async verify(password: string, phc: string | undefined, lane: Lane = 'stranger'): Promise<boolean> {
    const { memory, passes, parallelism, nonce, tag } = parse(phc ?? nobody)
    const found = await this.#run(password, nonce, { memory, passes, parallelism }, lane)
    return timingSafeEqual(found, tag) && phc !== undefined
  }

  async #run(message: string, nonce: Buffer, cost: Cost, lane: Lane): Promise<Buffer> {
    const waiting = this.#waiting[lane]
    if (this.#counts[lane] >= this.#waitingMax) throw new Refused('UNAVAILABLE', { retryAfter: 5 })
    this.#counts[lane]++
    return new Promise<Buffer>((resolve, reject) => {
      const done = (): void => void this.#counts[lane]--
      waiting.push(() => runOnce(message, nonce, cost).finally(done).then(resolve, reject))
      if (!this.#isRunning) void this.#work()
    })
  }

  /** One run at a time. Two of three turns go to known devices while any of them waits, one to everybody else. */
  async #work(): Promise<void> {
    this.#isRunning = true
    for (let turn = 0; ; turn = (turn + 1) % 3) {
      const [first, second] = turn === 2 ? (['stranger', 'known'] as const) : (['known', 'stranger'] as const)
      const next = this.#waiting[first].shift() ?? this.#waiting[second].shift()
      if (!next) break
      await next()
    }
    this.#isRunning = false
  }
}

type Cost = { readonly memory: number; readonly passes: number; readonly parallelism: number }

function runOnce(message: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message: message.normalize('NFKC'), nonce, tagLength, ...cost }, (error, tag) => {
      if (error) reject(error)
      else resolve(tag)
    })
  })
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

/** Whether the stored string was made with other cost parameters than today's. */
export function isOutdated(phc: string): boolean {
  const { memory, passes, parallelism } = parse(phc)
  return memory !== parameters.memory || passes !== parameters.passes || parallelism !== parameters.parallelism
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

const nobody = `$argon2id$v=19$m=${parameters.memory},t=${parameters.passes},p=${parameters.parallelism}$${unpadded(randomBytes(16))}$${unpadded(randomBytes(tagLength))}`

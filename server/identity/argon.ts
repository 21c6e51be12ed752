import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { Refused } from '../refused.ts'
import { Turns } from './turns.ts'

/** What a run costs: KiB of memory, passes over them, and lanes. */
export type Cost = { readonly memory: number; readonly passes: number; readonly parallelism: number }

/** 19 MiB, two passes, one lane: about 40 ms of one core. */
const costToday: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32

/**
 * The lane of a run, and its owner. Known devices and sessions have a lane of their own, with their account as owner; everybody else shares
 * the other lane, with the network as owner. A flood in one lane never delays the other, and in each lane owners take turns.
 */
export type Turn = { readonly lane: Lane; readonly owner: string }
type Lane = 'known' | 'stranger'

type Run = { readonly work: () => Promise<unknown>; readonly refuse: () => void }

const nobodys: Turn = { lane: 'stranger', owner: '' }
/** Runs of one account in progress and waiting: more than the five tries that limits admit at once. */
const perAccountMax = 8

/** argon2id, one run at a time: each takes a thread of the pool and 19 MiB, so a flood of logins can't slow down orders. */
export class Argon {
  readonly #waitingMax: number
  readonly #cost: Cost
  /** Compared with the passwords of unknown accounts. */
  readonly #nobody: string
  readonly #lanes: Readonly<Record<Lane, Turns<Run>>> = { known: new Turns(), stranger: new Turns() }
  /** Runs in progress and waiting ones. */
  readonly #counts: Record<Lane, number> = { known: 0, stranger: 0 }
  /** The turn in progress. */
  #running: Turn | undefined

  /**
   * waitingMax  of each lane; beyond it callers get UNAVAILABLE (each run takes about 40 ms)
   * cost        of every new tag and password
   */
  constructor({ waitingMax = 200, cost = costToday }: { readonly waitingMax?: number; readonly cost?: Cost } = {}) {
    this.#waitingMax = waitingMax
    this.#cost = cost
    this.#nobody = phcOf(cost, randomBytes(16), randomBytes(tagLength))
  }

  /** The tag of a short secret; deterministic for a given nonce (16 bytes). */
  tag(secret: string, nonce: Buffer, turn: Turn = nobodys): Promise<Buffer> {
    return this.#run(secret, nonce, this.#cost, turn)
  }

  /** A PHC string, as other argon2 implementations read and write it. */
  async hash(password: string, turn: Turn = nobodys): Promise<string> {
    const nonce = randomBytes(16)
    return phcOf(this.#cost, nonce, await this.#run(password, nonce, this.#cost, turn))
  }

  /** Checks a password. With `undefined` for the PHC string of an unknown account: false, after the same work. */
  async verify(password: string, phc: string | undefined, turn: Turn = nobodys): Promise<boolean> {
    const { memory, passes, parallelism, nonce, tag } = parse(phc ?? this.#nobody)
    const found = await this.#run(password, nonce, { memory, passes, parallelism }, turn)
    return timingSafeEqual(found, tag) && phc !== undefined
  }

  /** Whether the stored string was made at another cost than new ones are. */
  isOutdated(phc: string): boolean {
    const { memory, passes, parallelism } = parse(phc)
    return memory !== this.#cost.memory || passes !== this.#cost.passes || parallelism !== this.#cost.parallelism
  }

  async #run(message: string, nonce: Buffer, cost: Cost, turn: Turn): Promise<Buffer> {
    const { lane, owner } = turn
    this.#makeRoom(turn)
    this.#counts[lane]++
    return new Promise<Buffer>((resolve, reject) => {
      const done = (): void => void this.#counts[lane]--
      const work = () => runOnce(message, nonce, cost).finally(done).then(resolve, reject)
      const refuse = (): void => {
        done()
        reject(noRoom())
      }
      this.#lanes[lane].add(owner, { work, refuse })
      if (this.#running === undefined) void this.#work()
    })
  }

  /** In a full lane, an owner who has little there takes the place of the last run of the owner who has most. */
  #makeRoom({ lane, owner }: Turn): void {
    const isRunning = this.#running?.lane === lane && this.#running.owner === owner
    const own = this.#lanes[lane].waitingOf(owner) + (isRunning ? 1 : 0)
    if (lane === 'known' && own >= perAccountMax) throw noRoom()
    if (this.#counts[lane] < this.#waitingMax) return
    const dropped = this.#lanes[lane].dropLongest(own + 1)
    if (dropped === undefined) throw noRoom()
    dropped.refuse()
  }

  /** One run at a time. Two of three turns go to known devices while any of them waits, one to everybody else. */
  async #work(): Promise<void> {
    for (let turn = 0; ; turn = (turn + 1) % 3) {
      const lanes = turn === 2 ? (['stranger', 'known'] as const) : (['known', 'stranger'] as const)
      const lane = lanes.find((one) => this.#lanes[one].size > 0)
      if (lane === undefined) break
      const { owner, work } = this.#lanes[lane].next()!
      this.#running = { lane, owner }
      await work.work()
    }
    this.#running = undefined
  }
}

const noRoom = (): Refused => new Refused('UNAVAILABLE', { retryAfter: 5 })

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

function phcOf({ memory, passes, parallelism }: Cost, nonce: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

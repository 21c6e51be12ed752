/** A memory of requests with few remembered ones per user, for tests of sweeps. */
import type { UserId } from '../../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { Records } from '../../../protocol/codec/records.ts'
import { UNKNOWN } from '../entry.ts'
import { Requests } from '../requests.ts'

const id = (user: number): UserId => user as UserId
/** Forgotten requests at which a sweep begins. */
export const swept: number = 2 ** 21
/** In a sweep, one in 8 new requests looks at 32 old ones. */
export const every: number = 8
export const atOnce: number = 32

/** Users remember their last six requests. */
export class Swept {
  readonly open = new Set<number>()
  readonly requests = new Requests(
    (number) => this.open.has(number),
    () => false,
    { retail: 6, maker: 6, all: 1_000_000, last: 3 },
    9,
  )
  readonly #slots = new Float64Array(3)
  readonly #isAdded: boolean
  sent = 0

  /** `isAdded`: whether requests come beside a running one, as those of an OCO's legs do. */
  constructor(isAdded: boolean) {
    this.#isAdded = isAdded
  }

  /** The client id of this number, from 1 on, and a body of the same number. */
  #named(name: number): Float64Array {
    this.#slots[0] = name
    this.#slots[2] = name * 3
    return this.#slots
  }

  send(user: number, name: number, number = 0, refusal = 0): void {
    const { requests } = this
    this.sent++
    const slots = this.#named(name)
    if (this.#isAdded) {
      if (requests.find(id(user), slots, 0) !== UNKNOWN) assert.fail(`${name} is known`)
      requests.add(id(user), slots, 0, 11, 2, 3, number, refusal)
    } else {
      if (requests.meet(id(user), slots, 0, 11, 2, 3) !== UNKNOWN) assert.fail(`${name} is known`)
      requests.keep(number, refusal)
    }
  }

  /** Sends requests of user 1 until there were `count` of all users, with ids from a million up. */
  sendUntil(count: number): void {
    while (this.sent < count) this.send(1, 1_000_000 + this.sent)
  }

  /** Number and refusal of the first request with this id, and whether its body is the same; undefined when it is unknown. */
  outcome(user: number, name: number): readonly unknown[] | undefined {
    const { requests } = this
    const place = requests.meet(id(user), this.#named(name), 0, 11, 2, 3)
    return place === UNKNOWN ? undefined : [requests.number(place), requests.refusal(place), requests.isSame(place)]
  }

  dumped(): Buffer {
    const into = new Records()
    for (const _ of this.requests.dump(into));
    return Buffer.from(into.bytes())
  }

  /**
   * A copy that is restored from a dump with this many forgotten requests of user 1 besides. They are younger than those kept for
   * their open orders, and older than the others.
   */
  restored(forgotten: number): Swept {
    const dump = new Float64Array(new Uint8Array(this.dumped()).buffer)
    let at = 0
    while (dump[at] !== 2) at += 3 + dump[at + 1]! * 3
    const after = at + 3 + dump[at + 2]! * 3
    const data = new Float64Array(dump.length + forgotten * 3)
    data.set(dump.subarray(0, after))
    data.set(dump.subarray(after), after + forgotten * 3)
    data[at + 1] = data[at + 1]! + forgotten
    data[at + 2] = data[at + 2]! + forgotten
    const words = new Int32Array(data.buffer)
    for (let n = 0, word = after * 2; n < forgotten; n++, word += 6) {
      const { idLow, idHigh, bodyLow, bodyHigh } = this.requests.hashes(id(1), this.#named(2_000_000_000 + n), 0, 11, 2, 3)
      words.set([idLow, idHigh, bodyLow, bodyHigh], word)
    }
    const copy = new Swept(this.#isAdded)
    for (const number of this.open) copy.open.add(number)
    assert.equal(copy.requests.restore(data, 0, 13), data.length)
    copy.sent = this.sent + forgotten
    return copy
  }
}

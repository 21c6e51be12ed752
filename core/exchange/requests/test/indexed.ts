/** An index of remembered requests beside a map that does the same. */
import type { UserId } from '../../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { ENTRY, HIGH, LOW, pageBits, type RequestPlace, UNKNOWN, USER } from '../entry.ts'
import { RequestIndex } from '../hash-index.ts'

export type Id = { readonly low: number; readonly high: number; readonly user: number }
const pageMask = 2 ** pageBits - 1

/** An index with its entries, and a map of the places that it must find. */
export class Both {
  readonly index: RequestIndex
  readonly twin = new Map<string, readonly [RequestPlace, Id]>()
  /** Words of entries that the index has read. */
  #reads = 0
  readonly #pages: Int32Array[] = []
  #next = 0

  constructor(secret: number, sizes?: readonly number[]) {
    const counted = new Proxy(this.#pages, {
      get: (pages, page, receiver): unknown => {
        this.#reads++
        return Reflect.get(pages, page, receiver)
      },
    })
    this.index = new RequestIndex(counted, secret, sizes)
  }

  add(id: Id): void {
    const place = this.#next++ as RequestPlace
    if (place >>> pageBits === this.#pages.length) this.#pages.push(new Int32Array(ENTRY << pageBits))
    const page = this.#pages[place >>> pageBits]!
    const at = (place & pageMask) * ENTRY
    page[at + LOW] = id.low
    page[at + HIGH] = id.high
    page[at + USER] = id.user
    this.index.add(this.index.hash(id.low, id.high), place)
    this.twin.set(keyOf(id), [place, id])
  }

  remove(id: Id): void {
    this.index.remove(this.index.hash(id.low, id.high), this.twin.get(keyOf(id))![0])
    this.twin.delete(keyOf(id))
  }

  finds(id: Id): void {
    const found = this.index.find(this.index.hash(id.low, id.high), id.low, id.high, id.user as UserId)
    if (found !== (this.twin.get(keyOf(id))?.[0] ?? UNKNOWN)) assert.fail(`${keyOf(id)} is found at ${found}`)
  }

  /** Words of entries that the index reads while this runs. */
  readsOf(run: () => void): number {
    const before = this.#reads
    run()
    return this.#reads - before
  }

  /** Checks all ids that it has, and that each has no neighbour. */
  agrees(): void {
    for (const [, id] of this.twin.values()) {
      this.finds(id)
      this.finds({ ...id, user: id.user + 1 })
      this.finds({ ...id, low: id.low ^ 1 })
      this.finds({ ...id, high: id.high ^ 1 })
    }
  }
}

const keyOf = ({ low, high, user }: Id): string => `${low} ${high} ${user}`
export const id = (n: number): Id => ({ low: Math.imul(n, 0x9e3779b1), high: n * 2, user: (n & 7) * 2 })

import { type RawData, WebSocket } from 'ws'

export type Snapshot = {
  readonly lastUpdateId: number
  readonly bids: readonly (readonly [string, string])[]
  readonly asks: readonly (readonly [string, string])[]
}
type Change = { readonly U: number; readonly u: number; readonly pu?: number; readonly b: Snapshot['bids']; readonly a: Snapshot['asks'] }

const booksKept = 200

/**
 * A book that a client keeps by the documented rules: changes from a socket, joined to a snapshot that it requested after the
 * first of them.
 */
export class DepthClient {
  readonly stream: string
  readonly #isContract: boolean
  readonly #ws: WebSocket
  readonly #waiting: Change[] = []
  readonly #bids = new Map<string, string>()
  readonly #asks = new Map<string, string>()
  /** The book after each of the last changes, by its `u`. */
  readonly #books = new Map<number, string>()
  #u: number | undefined
  #hasBegun = false
  changes = 0
  /** Violations of the rules. */
  readonly faults: string[] = []

  /** base  URL of the sockets of that kind, to which the stream's name is added */
  constructor(base: string, stream: string, isContract: boolean) {
    this.stream = stream
    this.#isContract = isContract
    this.#ws = new WebSocket(`${base}/${stream}`)
    this.#ws.on('message', (data: RawData) => this.#receive(JSON.parse(String(data)) as Change))
  }

  get update(): number {
    return this.#u ?? 0
  }

  /** Whether changes have begun to arrive. */
  get hasHeard(): boolean {
    return this.#waiting.length > 0
  }

  async open(): Promise<void> {
    await new Promise((done, fail) => this.#ws.once('open', done).once('error', fail))
  }

  /** Starts from a snapshot that was requested after changes had begun to arrive. */
  begin({ lastUpdateId, bids, asks }: Snapshot): void {
    for (const [price, quantity] of bids) this.#bids.set(price, quantity)
    for (const [price, quantity] of asks) this.#asks.set(price, quantity)
    this.#u = lastUpdateId
    for (const change of this.#waiting.splice(0)) this.#apply(change)
  }

  /** The book right after the change that ended with this update; undefined when no change did, or one did long ago. */
  at(update: number): string | undefined {
    return this.#books.get(update)
  }

  close(): void {
    this.#ws.terminate()
  }

  #receive(change: Change): void {
    if (this.#u === undefined) this.#waiting.push(change)
    else this.#apply(change)
  }

  #apply(change: Change): void {
    const last = this.#u as number
    const { U, u, pu } = change
    // Futures: drops changes that end before the snapshot; spot: those that the snapshot contains.
    if (!this.#hasBegun && (this.#isContract ? u < last : u <= last)) return
    if (!this.#hasBegun) {
      const fits = this.#isContract ? U <= last && u >= last : U <= last + 1 && u >= last + 1
      if (!fits) this.faults.push(`${this.stream}: the first change after snapshot ${last} is ${U} to ${u}`)
    } else if (this.#isContract ? pu !== last : U !== last + 1) {
      this.faults.push(`${this.stream}: after ${last} comes ${U} to ${u}, pu ${pu}`)
    }
    this.#hasBegun = true
    this.#u = u
    this.changes++
    for (const [price, quantity] of change.b) put(this.#bids, price, quantity)
    for (const [price, quantity] of change.a) put(this.#asks, price, quantity)
    this.#books.set(u, bookText([...this.#bids], [...this.#asks]))
    if (this.#books.size > booksKept) this.#books.delete(this.#books.keys().next().value as number)
  }
}

function put(side: Map<string, string>, price: string, quantity: string): void {
  if (Number(quantity) === 0) side.delete(price)
  else side.set(price, quantity)
}

/** The whole book as one text, best first. */
export function bookText(bids: Snapshot['bids'], asks: Snapshot['asks']): string {
  const sorted = (levels: Snapshot['bids'], sign: 1 | -1) => [...levels].sort(([a], [b]) => sign * (Number(a) - Number(b)))
  return JSON.stringify([sorted(bids, -1), sorted(asks, 1)])
}

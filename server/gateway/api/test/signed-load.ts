import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Fields, type Program } from './program.ts'

export type Kind = 'order' | 'cancel' | 'transfer'

/** One request as it went out; `id` is what makes it the same request when it is sent again. */
export type Sent = {
  readonly kind: Kind
  readonly id: string
  readonly method: string
  readonly path: string
  readonly fields: Fields
}

/** What the answer said happened: the number of the order or the transfer, and what a cancelled order had traded. */
export type Told = { readonly sent: Sent; readonly number: number; readonly executed?: string }

/** A user's requests, and what they were told of them. */
export class Caller {
  readonly program: Program
  /** Answered as done. */
  readonly told: Told[] = []
  /** Answered as not done. */
  readonly refused: Sent[] = []
  /** Told that nobody knows, or not told at all. */
  unknown: Sent[] = []
  repeats = 0
  /** How often it was said that nobody knows. */
  saidUnknown = 0
  readonly #random: () => number
  /** In whole USDT: orders are laid around it. */
  readonly #price: number
  /** Orders that may still rest. */
  readonly #open: string[] = []

  constructor(program: Program, random: () => number, price: number) {
    this.program = program
    this.#random = random
    this.#price = price
  }

  async run(isRunning: () => boolean): Promise<void> {
    while (isRunning()) {
      const answer = await this.#send(this.#next())
      if (answer === undefined) await sleep(100)
      else if (answer.status === 200 && this.#random() < 0.04) await this.#again(this.told.at(-1) as Told)
    }
  }

  /** Sends what nobody knew of again, until it is known. throws  Error when it still is not after half a minute */
  async settle(): Promise<void> {
    const end = Date.now() + 30_000
    while (this.unknown.length > 0) {
      for (const sent of this.unknown.splice(0)) if ((await this.#send(sent, true)) === undefined) await sleep(50)
      const [first] = this.unknown
      if (first && Date.now() > end) throw new Error(`${first.kind} ${first.id} is still unknown`)
    }
  }

  /**
   * Sends, and keeps what came of it; undefined when nothing did. Of a request that may have acted before, `isAgain`, only an
   * outcome is news: that nobody takes it now says nothing of the first time.
   */
  async #send(sent: Sent, isAgain = false): Promise<Answer | undefined> {
    let isLost = true
    const answer = await this.program.signed(sent.method, sent.path, sent.fields).catch((cause: unknown) => {
      isLost = !isNotSent(cause)
      return undefined
    })
    const { status = 503, body = {} } = answer ?? {}
    if (status >= 500 && answer !== undefined) {
      if (status !== 503 || ![-1001, -1006, -1007].includes(body.code)) throw new Error(`${status} ${JSON.stringify(body)}`)
      isLost = body.code !== -1001
      if (isLost) this.saidUnknown++
    }
    const isNews = status !== 503 && status !== 429
    if (status === 200) this.#keep(sent, body)
    else if (isNews || (!isAgain && (status === 429 || !isLost))) this.refused.push(sent)
    else this.unknown.push(sent)
    return isNews ? answer : undefined
  }

  #keep(sent: Sent, body: any): void {
    if (sent.kind === 'transfer') return void this.told.push({ sent, number: body.tranId })
    this.told.push({ sent, number: body.orderId, executed: body.executedQty })
    if (sent.kind === 'order' && ['NEW', 'PARTIALLY_FILLED'].includes(body.status)) this.#open.push(sent.id)
  }

  /** The same request again finds what it did the first time. */
  async #again(first: Told): Promise<void> {
    const { method, path, fields, kind, id } = first.sent
    const answer = await this.program.signed(method, path, fields).catch(() => undefined)
    if (answer === undefined || answer.status === 503 || answer.status === 429) return
    this.repeats++
    const number = kind === 'transfer' ? answer.body.tranId : answer.body.orderId
    if (number !== first.number) {
      throw new Error(`${kind} ${id} was ${first.number}; sent again it is ${answer.status} ${JSON.stringify(answer.body)}`)
    }
  }

  #next(): Sent {
    const id = randomUUID()
    const what = this.#random()
    const oldest = this.#open.length > 40 || what < 0.25 ? this.#open.shift() : undefined
    if (oldest !== undefined) {
      const fields = { symbol, origClientOrderId: oldest, newClientOrderId: id }
      return { kind: 'cancel', id, method: 'DELETE', path: '/api/v3/order', fields }
    }
    if (what > 0.85) {
      const type = this.#random() < 0.5 ? 'MAIN_UMFUTURE' : 'UMFUTURE_MAIN'
      const fields = { type, asset: 'USDT', amount: this.#between(1, 50), clientTranId: id }
      return { kind: 'transfer', id, method: 'POST', path: '/sapi/v1/asset/transfer', fields }
    }
    const side = this.#random() < 0.5 ? 'BUY' : 'SELL'
    const common = { symbol, side, quantity: `0.00${this.#between(100, 999)}`, newClientOrderId: id, newOrderRespType: 'RESULT' }
    const fields =
      what > 0.8
        ? { ...common, type: 'MARKET' }
        : { ...common, type: 'LIMIT', timeInForce: 'GTC', price: String(this.#price - 100 + this.#between(0, 200)) }
    return { kind: 'order', id, method: 'POST', path: '/api/v3/order', fields }
  }

  #between(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1))
  }
}

export const symbol = 'BTCUSDT'

/** Nobody was there to take it: it can't have acted. */
function isNotSent(cause: unknown): boolean {
  return (cause as { cause?: { code?: unknown } }).cause?.code === 'ECONNREFUSED'
}

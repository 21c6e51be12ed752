import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fields, Program } from './program.ts'

export const symbol = 'BTCUSDT'

export type Kind = 'order' | 'amend' | 'cancel' | 'transfer'
export type Desk = 'spot' | 'contracts'

/**
 * One request as it was sent. A repeat is the same request, identified by its client id or, if it has none, by its content.
 *
 * about  client id of the order, or of the transfer
 */
export type Sent = {
  readonly kind: Kind
  readonly desk: Desk
  readonly about: string
  readonly method: string
  readonly path: string
  readonly fields: Fields
}

/** The outcome in an answer: the number of the order or the transfer, and the executed quantity of a cancelled order. */
export type Told = { readonly sent: Sent; readonly number?: number; readonly executed?: string; readonly isOpen: boolean }

type Resting = { readonly id: string; readonly fields: Fields }
type Outcome = Told | 'refused' | undefined

const paths = { spot: '/api/v3/order', contracts: '/fapi/v1/order' } as const
/** Codes for a request that was executed before, or for an order that has ended since: they don't tell which. */
const ended = [-2011, -2013]
/** Code for an amendment that would change nothing. */
const unchanged = -5027
/** Resting orders of a desk, beyond which one of them is cancelled first. */
const restingMax = 40

/** A user's requests and the answers to them. */
export class Caller {
  readonly program: Program
  /** Requests answered as done. */
  readonly told: Told[] = []
  /** Requests answered as not done. */
  readonly refused: Sent[] = []
  /** Requests without a client id that were answered as not done when they were sent again, which proves nothing about the first time. */
  readonly unsure: Sent[] = []
  /** Requests answered with an unknown outcome, or not answered at all. */
  unknown: Sent[] = []
  repeats = 0
  /** Count of answers with an unknown outcome. */
  saidUnknown = 0
  readonly #random: () => number
  /** Price in whole USDT around which orders are placed. */
  readonly #price: number
  /** Orders that may still rest and that no request in progress is about. */
  readonly #resting: Readonly<Record<Desk, Resting[]>> = { spot: [], contracts: [] }

  constructor(program: Program, random: () => number, price: number) {
    this.program = program
    this.#random = random
    this.#price = price
  }

  /** Transfers funds for trading Futures. amount  whole USDT */
  async begin(amount: number): Promise<void> {
    const outcome = await this.#send(transfer('MAIN_UMFUTURE', amount))
    if (outcome === undefined || outcome === 'refused') throw new Error('the first transfer was not taken')
    await this.program.done('POST', '/fapi/v1/leverage', { symbol, leverage: 5 })
  }

  async run(isRunning: () => boolean): Promise<void> {
    while (isRunning()) {
      const outcome = await this.#send(this.#next())
      if (outcome === undefined) await sleep(100)
      else if (outcome !== 'refused') {
        if (this.#random() < 0.04) await this.#again(outcome)
        this.#release(outcome)
      }
    }
  }

  /** Repeats requests with an unknown outcome until it is known. throws  Error when it still is unknown after many tries */
  async settle(): Promise<void> {
    for (let times = 0; this.unknown.length > 0; times++) {
      for (const sent of this.unknown.splice(0)) {
        const outcome = await this.#send(sent, true)
        if (outcome === undefined) await sleep(50)
        else if (outcome !== 'refused') this.#release(outcome)
      }
      const [first] = this.unknown
      if (first && times > 500) throw new Error(`${first.kind} of ${first.about} is still unknown`)
    }
  }

  /**
   * Sends a request and records the outcome; undefined without one. For a request that may have been executed before (`isAgain`)
   * only a success counts: a refusal proves nothing about the first time.
   */
  async #send(sent: Sent, isAgain = false): Promise<Outcome> {
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
    // It was in progress for longer than its window, because the machine stood still, so it can't have been executed.
    if (body.code === -1021) isLost = false
    const isNews = status !== 503 && status !== 429 && body.code !== -1021
    if (status === 200) return this.#keep(toldOf(sent, body))
    // Nothing else changes the order, so this request made the change the first time.
    if (isAgain && sent.kind === 'amend' && body.code === unchanged) return this.#keep({ sent, isOpen: true })
    if (isNews) {
      const isKnown = !isAgain || sent.desk === 'spot' || sent.kind === 'order'
      if (isKnown) this.refused.push(sent)
      else this.unsure.push(sent)
      return 'refused'
    }
    if (!isAgain && (status === 429 || !isLost)) this.refused.push(sent)
    else this.unknown.push(sent)
    return undefined
  }

  #keep(told: Told): Told {
    this.told.push(told)
    return told
  }

  /** A repeat of the same request must find the first outcome, or report that there is nothing to change. */
  async #again({ sent, number }: Told): Promise<void> {
    const { method, path, fields, kind, desk, about } = sent
    const answer = await this.program.signed(method, path, fields).catch(() => undefined)
    if (answer === undefined || answer.status === 503 || answer.status === 429 || answer.body.code === -1021) return
    this.repeats++
    const { status, body } = answer
    const isNamed = desk === 'spot' || kind === 'order'
    const isSame = isNamed
      ? (kind === 'transfer' ? body.tranId : body.orderId) === number
      : status === 400 && (ended.includes(body.code) || (kind === 'amend' && body.code === unchanged))
    if (!isSame) throw new Error(`${kind} of ${about} was ${number}; sent again it is ${status} ${JSON.stringify(body)}`)
  }

  /** From now on other requests may be about the order. */
  #release({ sent: { kind, desk, about, fields }, isOpen }: Told): void {
    if (isOpen && (kind === 'order' || kind === 'amend')) this.#resting[desk].push({ id: about, fields })
  }

  #next(): Sent {
    const what = this.#random()
    if (what > 0.88) return transfer(this.#random() < 0.5 ? 'MAIN_UMFUTURE' : 'UMFUTURE_MAIN', this.#between(1, 50))
    const desk = this.#random() < 0.5 ? 'spot' : 'contracts'
    const resting = this.#resting[desk]
    const oldest = resting.length > restingMax || what < 0.25 ? resting.shift() : undefined
    if (oldest === undefined) return this.#order(desk, what > 0.83)
    return desk === 'contracts' && what < 0.12 ? this.#amend(oldest) : cancel(desk, oldest.id)
  }

  #order(desk: Desk, isMarket: boolean): Sent {
    const about = randomUUID()
    const side = this.#random() < 0.5 ? 'BUY' : 'SELL'
    const common = { symbol, side, quantity: this.#quantity(), newClientOrderId: about, newOrderRespType: 'RESULT' }
    const fields = isMarket
      ? { ...common, type: 'MARKET' }
      : { ...common, type: 'LIMIT', timeInForce: 'GTC', price: String(this.#price - 100 + this.#between(0, 200)) }
    return { kind: 'order', desk, about, method: 'POST', path: paths[desk], fields }
  }

  /** Another quantity, and every second time another price. */
  #amend({ id, fields: { side, price, quantity: was } }: Resting): Sent {
    let quantity = this.#quantity()
    while (quantity === was) quantity = this.#quantity()
    const to = this.#random() < 0.5 ? String(price) : String(this.#price - 100 + this.#between(0, 200))
    const fields = { symbol, origClientOrderId: id, side: side as string, quantity, price: to }
    return { kind: 'amend', desk: 'contracts', about: id, method: 'PUT', path: paths.contracts, fields }
  }

  #quantity(): string {
    return `0.00${this.#between(100, 999)}`
  }

  #between(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1))
  }
}

function cancel(desk: Desk, about: string): Sent {
  // A cancel of Futures has no client id of its own.
  const fields = { symbol, origClientOrderId: about, ...(desk === 'spot' ? { newClientOrderId: randomUUID() } : {}) }
  return { kind: 'cancel', desk, about, method: 'DELETE', path: paths[desk], fields }
}

function transfer(type: string, amount: number): Sent {
  const about = randomUUID()
  const fields = { type, asset: 'USDT', amount, clientTranId: about }
  return { kind: 'transfer', desk: 'spot', about, method: 'POST', path: '/sapi/v1/asset/transfer', fields }
}

function toldOf(sent: Sent, body: any): Told {
  if (sent.kind === 'transfer') return { sent, number: body.tranId, isOpen: false }
  return { sent, number: body.orderId, executed: body.executedQty, isOpen: ['NEW', 'PARTIALLY_FILLED'].includes(body.status) }
}

/** The connection was refused, so the request can't have been executed. */
function isNotSent(cause: unknown): boolean {
  return (cause as { cause?: { code?: unknown } }).cause?.code === 'ECONNREFUSED'
}

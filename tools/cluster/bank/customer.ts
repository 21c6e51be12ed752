import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Fields, Program } from './program.ts'
import type { Request, Told } from './record.ts'

export type CustomerOptions = {
  readonly nth: number
  readonly program: Program
  /** Begins every client id, so that those of two runs differ. */
  readonly mark: string
  /** Between two requests, unless an answer takes longer. */
  readonly everyMs: number
  /** Of the market, in whole USDT. */
  readonly price: number
  readonly onTold: (told: Told) => void
}

const tryMs = 2_000
const pauseMs = 50
const openMax = 10
const spread = 0.001

/** Codes of answers after which it is not certain that nothing was done, or that ask to come back: the request is sent again. */
const again = new Set([-1000, -1001, -1003, -1006, -1007, -1015, -1021])

/** One customer: one request at a time, sent again with the same id until the answer is final. */
export class Customer {
  readonly #options: CustomerOptions
  /** Client ids of orders that may be open. */
  readonly #open: string[] = []
  /** USDT on the Futures account, in cents. */
  #away = 0
  #count = 0
  /** Acknowledgements: times by `performance.now()`. */
  readonly #served: number[] = []

  constructor(options: CustomerOptions) {
    this.#options = options
  }

  get nth(): number {
    return this.#options.nth
  }

  get program(): Program {
    return this.#options.program
  }

  /** Sends requests until the signal; resolves when the last one has its final answer. throws Error when it gets none within `maxMs` */
  async run(signal: AbortSignal, maxMs: number): Promise<void> {
    const { everyMs } = this.#options
    let dueMs = performance.now() + Math.random() * everyMs
    while (!signal.aborted) {
      await sleep(Math.max(0, dueMs - performance.now()), undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      // What was missed is not made up for.
      dueMs = Math.max(dueMs + everyMs, performance.now())
      await this.#carry(this.#next(), maxMs)
    }
  }

  /** Acknowledgements since then. */
  servedSince(ms: number): number {
    let count = 0
    for (let i = this.#served.length - 1; i >= 0 && this.#served[i]! >= ms; i--) count++
    return count
  }

  /** The longest time without an acknowledgement in this span. */
  longestWaitMs(fromMs: number, toMs: number): number {
    const inside = this.#served.filter((ms) => ms > fromMs && ms < toMs)
    return [...inside, toMs].reduce(({ last, longest }, ms) => ({ last: ms, longest: Math.max(longest, ms - last) }), {
      last: fromMs,
      longest: 0,
    }).longest
  }

  #next(): Request {
    const { mark, nth, price } = this.#options
    const id = `${mark}-${nth}-${++this.#count}`
    if (this.#open.length > openMax) return { kind: 'cancel', id, target: this.#open.shift()! }
    if (this.#count % 5 === 0) {
      const isBack = this.#away > 0 && Math.random() < 0.5
      const cents = isBack ? this.#away : 100 + Math.floor(Math.random() * 900)
      return { kind: 'transfer', id, type: isBack ? 'UMFUTURE_MAIN' : 'MAIN_UMFUTURE', amount: (cents / 100).toFixed(2) }
    }
    const side = Math.random() < 0.5 ? 'BUY' : 'SELL'
    const limit = price * (1 + (Math.random() * 2 - 1) * spread)
    return { kind: 'order', id, side, price: limit.toFixed(1), quantity: '0.001' }
  }

  async #carry(request: Request, maxMs: number): Promise<void> {
    const firstSentAt = Date.now()
    const endMs = performance.now() + maxMs
    for (let tries = 1; ; tries++) {
      const answer = await this.#try(request)
      if (answer !== undefined) {
        const number = numberOf(answer)
        const isAcknowledged = answer.status === 200
        this.#note(request, isAcknowledged)
        this.#options.onTold({ customer: this.nth, request, isAcknowledged, number, tries, firstSentAt, answeredAt: Date.now() })
        return
      }
      if (performance.now() > endMs) throw new Error(`customer ${this.nth}: ${request.id} has no answer after ${tries} tries`)
      this.program.turn()
      await sleep(pauseMs)
    }
  }

  /** Undefined when the answer is not final. */
  async #try(request: Request): Promise<Answer | undefined> {
    const [method, path, fields] = wordsOf(request)
    try {
      const answer = await this.program.ask(method, path, fields, tryMs)
      return isFinal(answer) ? answer : undefined
    } catch {
      return undefined
    }
  }

  #note(request: Request, isAcknowledged: boolean): void {
    if (!isAcknowledged) return
    this.#served.push(performance.now())
    if (request.kind === 'order') this.#open.push(request.id)
    if (request.kind !== 'transfer') return
    const cents = Math.round(Number(request.amount) * 100)
    this.#away += request.type === 'MAIN_UMFUTURE' ? cents : -cents
  }
}

function isFinal({ status, body }: Answer): boolean {
  if (status === 200) return body !== undefined
  return status >= 400 && status < 500 && body !== undefined && !again.has(Number(body['code']))
}

const numberOf = ({ status, body }: Answer): number => (status === 200 ? Number(body?.['orderId'] ?? body?.['tranId']) : 0)

const symbol = 'BTCUSDT'

function wordsOf(request: Request): readonly [method: string, path: string, fields: Fields] {
  if (request.kind === 'order') {
    const { id, side, price, quantity } = request
    const order = { symbol, side, type: 'LIMIT', timeInForce: 'GTC', quantity, price }
    return ['POST', '/api/v3/order', { ...order, newClientOrderId: id, newOrderRespType: 'ACK' }]
  }
  if (request.kind === 'cancel')
    return ['DELETE', '/api/v3/order', { symbol, origClientOrderId: request.target, newClientOrderId: request.id }]
  const { id, type, amount } = request
  return ['POST', '/sapi/v1/asset/transfer', { type, asset: 'USDT', amount, clientTranId: id }]
}

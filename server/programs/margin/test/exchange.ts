import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { described } from '../../test/described.ts'
import { type Fields, type Program, programOf } from '../../test/program.ts'

const hourMs = 3_600_000

/** An exchange with prices, where an hour passes when the test moves the clock. It begins ten minutes after a full hour. */
export class MarginExchange {
  readonly exchange: TestExchange
  readonly #time: { shift: number }
  #ids = 0

  private constructor(exchange: TestExchange, time: { shift: number }) {
    this.exchange = exchange
    this.#time = time
  }

  static async start(seed: string): Promise<MarginExchange> {
    const time = { shift: hourMs - (Date.now() % hourMs) + 600_000 }
    const clock = { wall: () => Date.now() + time.shift, steady: () => performance.now() + time.shift }
    const desk = new MarginExchange(await startExchange({ seed, hasFeeds: false, time: clock }), time)
    await desk.prices(60_000)
    return desk
  }

  async prices(btc: number): Promise<void> {
    const { markets } = await this.exchange.link.ask.listing()
    const spot = markets.filter(({ perp, symbol }) => perp === undefined && symbol.endsWith('USDT'))
    const prices = spot.map(({ id, symbol }) => ({ market: id, price: (symbol === 'BTCUSDT' ? btc : 100) * 1e8, sources: 4, isGood: true }))
    const { refusal } = await this.exchange.link.submit(commandOf({ type: 'index.tick', prices }))
    assert.equal(refusal, undefined)
  }

  /** The engine's timer runs by the machine's time: a command makes it look at the moved clock. */
  async hourPasses(btc = 60_000): Promise<void> {
    this.#time.shift += hourMs
    await this.prices(btc)
  }

  async trader(funds: Readonly<Record<string, string>>): Promise<Trader> {
    const user = await this.exchange.user({ funds, isCertified: true })
    return new Trader(user, await programOf(this.exchange.url, user), () => `c${++this.#ids}`)
  }
}

/** A user with a program. */
export class Trader {
  readonly user: TestUser
  readonly program: Program
  readonly #next: () => string

  constructor(user: TestUser, program: Program, next: () => string) {
    this.user = user
    this.program = program
    this.#next = next
  }

  get = (path: string, fields: Fields = {}) => described(this.program, 'GET', path, fields)
  post = (path: string, fields: Fields = {}) => described(this.program, 'POST', path, fields)
  delete = (path: string, fields: Fields = {}) => described(this.program, 'DELETE', path, fields)
  move = (type: string, asset: string, amount: string, more: Fields = {}) =>
    this.post('/sapi/v1/asset/transfer', { type, asset, amount, ...more })

  /** A resting order of the spot account, from the app. */
  async quote(side: 'buy' | 'sell', price: string, quantity: string): Promise<void> {
    const order = { clientId: this.#next(), symbol: 'BTCUSDT', side, type: 'limit', price, quantity }
    const { status, body } = await this.user.call('POST', '/spot/orders', order)
    assert.equal(status, 200, JSON.stringify(body))
  }

  async refused(method: string, path: string, fields: Fields, code: number, msg?: string): Promise<void> {
    const { status, body } = await this.program.signed(method, path, fields)
    assert.deepEqual([status, body.code], [400, code], `${path} ${JSON.stringify(fields)}: ${JSON.stringify(body)}`)
    if (msg !== undefined) assert.equal(body.msg, msg)
  }

  /** A coin of the cross account. */
  async cross(asset: string): Promise<any> {
    const { userAssets } = await this.get('/sapi/v1/margin/account')
    return userAssets.find((one: { asset: string }) => one.asset === asset)
  }
}

export async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_400; tries++) {
    if (await isDone()) return
    await sleep(25)
  }
  throw new Error('what was waited for did not come')
}

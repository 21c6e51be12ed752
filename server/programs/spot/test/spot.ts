import assert from 'node:assert/strict'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange } from '../../../main/test/exchange.ts'
import { described } from '../../test/described.ts'
import { type Fields, Program, programOf } from '../../test/program.ts'

export const orderPath = '/api/v3/order'

/** A program that checks each answer against the published description of the route. */
export class DescribedProgram extends Program {
  override done(method: string, path: string, fields: Fields = {}): Promise<any> {
    return described(new Program(this.url, this.key, this.secret), method, path, fields)
  }
}

/** An exchange without bots, with bitcoin at 60,000, and its users' programs. */
export class SpotWorld implements AsyncDisposable {
  readonly exchange: TestExchange

  private constructor(exchange: TestExchange) {
    this.exchange = exchange
  }

  static async start(seed: string): Promise<SpotWorld> {
    const exchange = await startExchange({ seed, hasFeeds: false })
    const prices = [1, 2].map((market) => ({ market, price: market === 1 ? 6e12 : 3e11, sources: 4, isGood: true }))
    await exchange.link.submit(commandOf({ type: 'index.tick', prices }))
    return new SpotWorld(exchange)
  }

  async program(
    funds: Readonly<Record<string, string>> = { USDT: '100000', BTC: '2' },
    userClass: 'retail' | 'maker' = 'retail',
  ): Promise<Program> {
    const plain = await programOf(this.exchange.url, await this.exchange.user({ funds, class: userClass }))
    return new DescribedProgram(plain.url, plain.key, plain.secret)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.exchange[Symbol.asyncDispose]()
  }
}

/** A limit order at this price; further fields override. */
export const limit = (side: 'BUY' | 'SELL', price: string, quantity: string, more: Fields = {}): Fields => ({
  ...{ symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC', quantity, price },
  ...more,
})
export const market = (side: 'BUY' | 'SELL', more: Fields): Fields => ({ symbol: 'BTCUSDT', side, type: 'MARKET', ...more })

export async function refused(
  program: Program,
  [method, path]: readonly [string, string],
  fields: Fields,
  code: number,
  msg?: string,
): Promise<any> {
  const { status, body } = await program.signed(method, path, fields)
  assert.deepEqual([status, body.code], [400, code], `${JSON.stringify(fields)}: ${JSON.stringify(body)}`)
  if (msg !== undefined) assert.equal(body.msg, msg)
  return body
}

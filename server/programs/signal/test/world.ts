import assert from 'node:assert/strict'
import type { WireSignalState, WireSignalTerms } from '@candor/core/protocol/wire/own/signals.ts'
import type { TestUser } from '../../../main/test/exchange.ts'
import { type PerpDesk, startPerpDesk } from '../../perp/test/desk.ts'
import { type Program, programOf } from '../../test/program.ts'

export const terms: WireSignalTerms = {
  ...{ symbols: ['BTCUSDT', 'ETHUSDT', 'ETHUSDTPERP'], maxQuote: '1000', perMinute: 60, perDay: 1_000, maxAgeSeconds: 60, ips: [] },
}

export type Sent = { readonly status: number; readonly body: { readonly ok: boolean; readonly code?: string } }

/** A key with a signal address that is on. */
export type Signalled = {
  readonly user: TestUser
  readonly program: Program
  readonly id: string
  readonly path: string
  /** Sends an alert as a charting service does. */
  send(alert: unknown, headers?: Readonly<Record<string, string>>): Promise<Sent>
  /** The log, newest first. */
  log(): Promise<WireSignalState['calls']>
  change(body: object): Promise<unknown>
}

/** An exchange with bitcoin at 60,000 and ether at 3,000, and makers on both sides of their books. */
export class SignalWorld implements AsyncDisposable {
  readonly desk: PerpDesk

  private constructor(desk: PerpDesk) {
    this.desk = desk
  }

  static async start(): Promise<SignalWorld> {
    const desk = await startPerpDesk()
    const maker = await desk.exchange.user({ funds: { USDT: '1000000', BTC: '20', ETH: '200' }, isCertified: true })
    const moved = await maker.call('POST', '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '100000' })
    assert.equal(moved.status, 200)
    const program = await programOf(desk.exchange.url, maker)
    for (const [symbol, bid, ask, quantity] of [
      ['BTCUSDT', '59990', '60000', '1'],
      ['ETHUSDT', '2999', '3000', '10'],
    ] as const) {
      const order = { symbol, type: 'LIMIT', timeInForce: 'GTC', quantity }
      await program.done('POST', '/api/v3/order', { ...order, side: 'BUY', price: bid })
      await program.done('POST', '/api/v3/order', { ...order, side: 'SELL', price: ask })
    }
    for (const [side, price] of [
      ['BUY', '2999'],
      ['SELL', '3000'],
    ] as const) {
      const order = { symbol: 'ETHUSDT', type: 'LIMIT', timeInForce: 'GTC', quantity: '10', side, price }
      await program.done('POST', '/fapi/v1/order', order)
    }
    return new SignalWorld(desk)
  }

  get url(): string {
    return this.desk.exchange.url
  }

  async trader(given: Partial<WireSignalTerms> = {}): Promise<Signalled> {
    const user = await this.desk.exchange.user({ funds: { USDT: '50000', BTC: '1' }, isCertified: true })
    await user.call('POST', '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '10000' })
    return this.signalled(user, given)
  }

  async signalled(user: TestUser, given: Partial<WireSignalTerms> = {}): Promise<Signalled> {
    const program = await programOf(this.url, user)
    const { id } = (await user.call('GET', '/keys')).body.keys.find(({ key }: { key: string }) => key === program.key)
    const made = await user.call('POST', `/keys/${id}/signal`, { terms: { ...terms, ...given }, password: user.password })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { path } = made.body as { path: string }
    return {
      ...{ user, program, id, path },
      send: (alert, headers) => this.send(path, alert, headers),
      log: async () => (await user.call('GET', `/keys/${id}/signal`)).body.calls,
      async change(body) {
        const changed = await user.call('PATCH', `/keys/${id}/signal`, { password: user.password, ...body })
        assert.equal(changed.status, 200, JSON.stringify(changed.body))
        return changed.body
      },
    }
  }

  async send(path: string, alert: unknown, headers: Readonly<Record<string, string>> = { 'content-type': 'text/plain' }): Promise<Sent> {
    const body = typeof alert === 'string' || alert instanceof Uint8Array ? alert : JSON.stringify(alert)
    const response = await fetch(`${this.url}${path}`, { method: 'POST', body: body as string, headers })
    return { status: response.status, body: (await response.json()) as Sent['body'] }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.desk[Symbol.asyncDispose]()
  }
}

export const ok = { status: 200, body: { ok: true } } as const
export const refused = { status: 422, body: { ok: false, code: 'REFUSED' } } as const

import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import type { Store } from '../../store/open.ts'
import { certify } from '../certified.ts'
import { makeIdentity, makeLogger, reachEngine } from '../roles.ts'
import type { Settings } from '../settings.ts'

/** A program that places and cancels orders without a pause, and records its answers. */
export class OrderLoad {
  readonly acknowledged: string[] = []
  readonly failures = new Map<string, number>()
  readonly #urls: readonly string[]
  readonly #key: { readonly key: string; readonly secret: string }
  #isEnding = false
  #turn = 0
  readonly #running: Promise<void>

  constructor(urls: readonly string[], key: { readonly key: string; readonly secret: string }) {
    this.#urls = urls
    this.#key = key
    this.#running = this.#run()
  }

  async signed(method: string, path: string, parameters: Readonly<Record<string, string>>) {
    const query = new URLSearchParams({ ...parameters, timestamp: String(Date.now()), recvWindow: '60000' }).toString()
    const signature = createHmac('sha256', this.#key.secret).update(query).digest('hex')
    const response = await fetch(`${this.#nextUrl()}${path}?${query}&signature=${signature}`, {
      method,
      headers: { 'x-mbx-apikey': this.#key.key },
    })
    return { status: response.status, body: (await response.json()) as { readonly code?: number; readonly orderId?: number } }
  }

  /** Resolves when one more order is acknowledged. */
  async goesOn(): Promise<void> {
    const before = this.acknowledged.length
    while (this.acknowledged.length <= before) await sleep(5)
  }

  async end(): Promise<void> {
    this.#isEnding = true
    await this.#running
  }

  async #run(): Promise<void> {
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001' }
    for (let n = 0; !this.#isEnding; n++) {
      const id = `load-${n}`
      try {
        const price = String(Math.floor(Number(await this.#price()) * 0.9))
        const { status, body } = await this.signed('POST', '/api/v3/order', { ...order, price, newClientOrderId: id })
        if (status === 200) {
          this.acknowledged.push(id)
          await this.signed('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', origClientOrderId: id })
        } else this.#failed(`${status} ${body.code}`)
      } catch (cause) {
        this.#failed(String((cause as Error).message))
      }
      await sleep(100)
    }
  }

  async #price(): Promise<string> {
    const { price } = (await (await fetch(`${this.#nextUrl()}/api/v3/ticker/price?symbol=BTCUSDT`)).json()) as { readonly price: string }
    return price
  }

  /** Gateways take turns. */
  #nextUrl(): string {
    return this.#urls[this.#turn++ % this.#urls.length]!
  }

  #failed(what: string): void {
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1)
  }
}

/** Opens a customer with practice funds and a key, and starts the program. `urls`: gateways. `store`: connected as the owner. */
export async function startLoad(settings: Settings, store: Store, urls: readonly string[]): Promise<OrderLoad> {
  await using link = await reachEngine(settings)
  const ground = { settings, store, logger: makeLogger({ ...settings, logLevel: 'silent' }, 'test') }
  await using identity = makeIdentity(ground, link, { send: () => Promise.resolve() })
  const password = 'correct horse battery staple'
  const created = await identity.createUser({ email: 'alice@test.example', password, class: 'retail' })
  await certify(link.submit, identity, created.account, created.user as UserId)
  await link.submit({ type: 'funds.faucet', user: created.user as UserId, clientId: 'f', asset: 1 as AssetId, amount: 1e12 as Units })
  const { key, secret } = await identity.keys.grant(
    { label: 'load', scopes: ['read', 'trade'], ips: [] },
    { account: created.account, visitor: { ip: 'local', userAgent: 'test' } },
  )
  return new OrderLoad(urls, { key: key.key, secret: secret! })
}

import assert from 'node:assert/strict'
import type { Millis, Ppm, Units } from '@candor/core/money/brand.ts'
import type { AssetId, MarketId } from '@candor/core/protocol/ids.ts'
import type { Market } from '@candor/core/protocol/market.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Ask, Outcome } from '@candor/core/protocol/port.ts'
import type { InjectOptions } from 'fastify'
import pino from 'pino'
import type { z } from 'zod'
import { ActingSessions } from '../../../http/acting.ts'
import { gateOf } from '../../../http/gate.ts'
import { Limits } from '../../../http/limits.ts'
import { Proxies } from '../../../http/proxies.ts'
import { Sessions } from '../../../http/sessions.ts'
import { good, startWorld, type World } from '../../../identity/test/world.ts'
import type { Freshness } from '../../../live/freshness.ts'
import { Listing } from '../../../live/listing.ts'
import { inboxRoutes } from '../../../messages/inbox-routes.ts'
import { type App, buildApp } from '../../app.ts'
import { Cookies } from '../cookies.ts'
import { userRoutes } from '../routes.ts'
import * as schema from '../schema.ts'

const terms = {
  makerFeePpm: 1000 as Ppm,
  takerFeePpm: 1000 as Ppm,
  notionalMin: 1 as Units,
  lotsMin: 1,
  lotsMax: 9,
  bandPpm: 1,
  slippagePpm: 1,
  openOrdersMax: 9,
  isTrading: true,
}
const btcusdt = {
  id: 1 as MarketId,
  symbol: 'BTCUSDT',
  base: 2 as AssetId,
  quote: 1 as AssetId,
  tick: '0.1',
  lot: '0.00001',
  basePerLot: 1000,
  quotePerTickLot: 1,
  terms,
}
const ask = {
  listing: async () => ({
    assets: [
      { id: 1 as AssetId, symbol: 'USDT', scale: 6 },
      { id: 2 as AssetId, symbol: 'BTC', scale: 8 },
      { id: 3 as AssetId, symbol: 'ETH', scale: 8 },
    ],
    markets: [btcusdt, { ...btcusdt, id: 2, symbol: 'ETHUSDT', base: 3 }] as unknown as Market[],
    fees: [],
    perpFees: [],
  }),
  tier: async () => ({ volume: 1_234_500_000 as Units, tier: 2, perp: { volume: 5_000_000 as Units, tier: 1 } }),
  standing: async () => ({ turnover: { limit: 10_000_000_000 as Units, used: 12_500_000 as Units, open: 2_000_000 as Units } }),
  marginTerms: async () => undefined,
} as unknown as Ask

/** The routes of users over one identity: `app` with cookies for http, `secure` with those for https. */
export class UserApi implements AsyncDisposable {
  readonly world: World
  /** Commands that the routes sent; registration has its own connection to the core. */
  readonly submitted: Command[] = []
  readonly #apps: App[] = []

  private constructor(world: World) {
    this.world = world
  }

  static async start(): Promise<UserApi> {
    const api = new UserApi(await startWorld())
    for (const isSecure of [false, true]) api.#apps.push(await api.startApp(new Cookies(isSecure)))
    return api
  }

  get app(): App {
    return this.#apps[0]!
  }

  get secure(): App {
    return this.#apps[1]!
  }

  async startApp(cookies: Cookies, mode: 'sandbox' | 'production' = 'sandbox'): Promise<App> {
    const { world } = this
    const listing = new Listing()
    await listing.load(ask)
    const sessions = new Sessions((token) => world.identity.session(token))
    world.identity.sessions.onRevoked(({ account }) => sessions.forgetAccount(account))
    const { tokenOf } = cookies
    const acting = new ActingSessions(() => Promise.resolve(undefined))
    const gate = gateOf({ mode: 'sandbox', publicUrls: [], sessions, acting, limits: new Limits(), tokenOf, deviceOf: () => undefined })
    const built = buildApp({ gate, proxies: new Proxies([]), tokenOf, requestId: () => 'one', logger: pino({ level: 'silent' }) })
    const submit = async (command: Command): Promise<Outcome> => {
      this.submitted.push(command)
      return { seq: this.submitted.length, events: [] } as unknown as Outcome
    }
    const context = { mode, ask, listing, submit, now: () => 0 as Millis, freshness: { wrote: () => undefined } as unknown as Freshness }
    await built.register(async (api) => userRoutes(api as unknown as App, context, world.identity, cookies), { prefix: '/app/v1' })
    await built.register(inboxRoutes(world.inbox))
    return built
  }

  browser(app = this.app): Browser {
    return new Browser(app, this.world)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const app of this.#apps) await app.close()
    await this.world[Symbol.asyncDispose]()
  }
}

/** A browser with its cookies. */
export class Browser {
  readonly #app: App
  readonly #world: World
  readonly jar = new Map<string, string>()
  /** Cookies that the last answer set. */
  lines: readonly string[] = []

  constructor(app: App, world: World) {
    this.#app = app
    this.#world = world
  }

  async send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown, headers: Record<string, string> = {}) {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const request: InjectOptions = { method, url: `/app/v1${path}`, headers: { ...(cookie === '' ? {} : { cookie }), ...headers } }
    if (body !== undefined)
      Object.assign(request, { payload: JSON.stringify(body), headers: { ...request.headers, 'content-type': 'application/json' } })
    const answer = await this.#app.inject(request)
    this.lines = [answer.headers['set-cookie'] ?? []].flat()
    for (const line of this.lines) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (line.includes('Max-Age=0;')) this.jar.delete(pair.slice(0, at))
      else this.jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const json = answer.body === '' ? undefined : (answer.json() as Record<string, unknown>)
    return { status: answer.statusCode, body: json as Record<string, never>, headers: answer.headers }
  }

  async register(to: string) {
    const sent = await this.send('POST', '/auth/code', { purpose: 'register', channel: 'email', to, lang: 'en' })
    assert.equal(sent.status, 202)
    assert.deepEqual(shaped(schema.codeSent, sent.body), { resendAfter: 60, expiresIn: 600 })
    const code = await this.#world.codeOf(to)
    return this.send('POST', '/auth/register', {
      channel: 'email',
      to,
      code,
      password: good,
      passwordAgain: good,
      agreement: true,
      ...{ country: 'DE', isOfAge: true },
      lang: 'en',
    })
  }

  login(to: string, password = good) {
    return this.send('POST', '/auth/login', { channel: 'email', to, password, lang: 'en' })
  }
}

/** The answer, if it has exactly the shape of the schema. */
export function shaped(shape: z.ZodType, body: unknown): unknown {
  return shape.parse(body)
}

import assert from 'node:assert/strict'
import type { OptionTerms } from '../../../protocol/command/option.ts'
import type { UserId } from '../../../protocol/ids.ts'
import type { OptionOpened, OptionSettled, OptionStruck, TapeExtended } from '../../../protocol/event/option.ts'
import { given as givenSpot } from '../../test/world.ts'
import type { Told, World } from '../../test/world.ts'

export { start } from '../../test/world.ts'

/** An index price from USDT. */
export const usdt = (price: number): number => Math.round(price * 1e8)
/** Units of an amount in USDT. */
export const units = (amount: number): number => Math.round(amount * 1e6)

/** The terms at first start. */
export const firstTerms: OptionTerms = {
  isOpen: true,
  rates: [
    { seconds: 30, profitPpm: 800_000 },
    { seconds: 60, profitPpm: 820_000 },
    { seconds: 120, profitPpm: 840_000 },
    { seconds: 180, profitPpm: 850_000 },
    { seconds: 300, profitPpm: 860_000 },
    { seconds: 900, profitPpm: 880_000 },
  ],
  stakeMin: units(5),
  stakeMax: units(1000),
  openMax: units(5000),
  sideMax: units(3000),
  strikeDelayMs: 1500,
  windowPpm: 100_000,
  windowMaxMs: 5000,
  gapMaxMs: 3000,
  marketExposurePpm: 30_000,
  totalExposurePpm: 100_000,
  groupExposurePpm: 50_000,
  groupPpm: 700_000,
  guardVoidsFree: 3,
  guardVoidsPpm: 200_000,
  houseFloor: units(100_000),
  limitWaitMs: 86_400_000,
} as unknown as OptionTerms

/** Terms without caps except that on a customer's open stakes. */
export const unlimited = {
  sideMax: units(10_000_000),
  marketExposurePpm: 1_000_000,
  totalExposurePpm: 1_000_000,
  groupExposurePpm: 1_000_000,
  guardVoidsFree: 1_000_000,
} as const

export type Opening = {
  readonly stake?: number
  readonly seconds?: number
  readonly guardPpm?: number
  readonly market?: number
  readonly clientId?: string
}

/** The exchange of the other tests with a second USDT market, and shorthands for commands of Second. */
export class OptionWorld {
  readonly world: World
  readonly tape: TapeExtended[] = []
  readonly opened = new Map<number, OptionOpened>()
  readonly struck = new Map<number, OptionStruck>()
  readonly settled = new Map<number, OptionSettled>()

  constructor(world: World) {
    this.world = world
  }

  get atMs(): number {
    return this.world.atMs
  }

  do(command: object): Told {
    const told = this.world.do(command)
    this.tape.push(...told.of('tape.extended'))
    for (const event of told.of('option.opened')) this.opened.set(event.order, event)
    for (const event of told.of('option.struck')) this.struck.set(event.order, event)
    for (const event of told.of('option.settled')) {
      assert.equal(this.settled.has(event.order), false, `order ${event.order} is settled once`)
      this.settled.set(event.order, event)
    }
    return told
  }

  /** A user who may open orders: verified, admitted, with `amount` USDT in the Second account. */
  trader(name: string, amount = 1000): UserId {
    const user = this.world.user(name)
    this.world.gives(name, 'USDT', String(amount))
    this.do({ type: 'funds.transfer', user, clientId: '', asset: 1, from: 'spot', to: 'option', amount: units(amount) }).isAccepted()
    this.do({ type: 'user.certify', user, isCertified: true }).isAccepted()
    this.do({ type: 'option.admit', user }).isAccepted()
    return user
  }

  open(name: string, direction: 'up' | 'down', more: Opening = {}): Told {
    const { stake = 10, seconds = 30, guardPpm = 0, market = 1, clientId = '' } = more
    const user = this.world.user(name)
    return this.do({ type: 'option.open', user, clientId, market, direction, stake: units(stake), seconds, guardPpm })
  }

  /** A tick of the tape at the present time: prices in USDT by market; none: nothing changed. */
  tick(prices: Readonly<Record<number, number>> = {}, { isGood = true, sources = 3 } = {}): Told {
    const list = Object.entries(prices).map(([market, price]) => ({ market: Number(market), price: usdt(price), sources, isGood }))
    return this.do({ type: 'index.tick', prices: list }).isAccepted()
  }

  /** Lets time pass with a tick every `stepMs`, the last at the end. `price`: that of market 1 after so many milliseconds. */
  run(ms: number, price: (sinceMs: number) => number | undefined, stepMs = 250): this {
    const from = this.world.atMs
    while (this.world.atMs < from + ms) {
      this.world.atMs = Math.min(from + ms, this.world.atMs + stepMs)
      const now = price(this.world.atMs - from)
      this.tick(now === undefined ? {} : { 1: now })
    }
    return this
  }

  /** Lets time pass without an index tick; the clock ticks whenever something is due. */
  silence(ms: number): this {
    const until = this.world.atMs + ms
    while (this.world.exchange.nextDueAtMs <= until) {
      this.world.atMs = Math.max(this.world.atMs, this.world.exchange.nextDueAtMs)
      this.do({ type: 'clock.tick' }).isAccepted()
    }
    this.world.atMs = until
    return this
  }

  /** "available+held" of an account in USDT: an account of the exchange, or a user's Second account. */
  balance(owner: string): string {
    const user = this.world.users.get(owner)
    const found = this.world.exchange
      .accounts()
      .find(({ account }) =>
        'user' in account
          ? account.user === user && account.kind === 'option' && account.asset === 1
          : account.system === owner && account.asset === 1,
      )
    return `${(found?.available ?? 0) / 1e6}+${(found?.held ?? 0) / 1e6}`
  }

  isSettled(order: number, expected: string): this {
    const settled = this.settled.get(order)
    const said =
      settled === undefined ? 'open' : settled.result === 'void' ? `void ${settled.reason}` : `${settled.result} ${settled.price / 1e8}`
    assert.equal(said, expected, `order ${order}`)
    return this
  }
}

/** A world with a house fund of 1,000,000 USDT, the terms of first start, and an index of 60,000 for BTCUSDT. */
export function given(changed: Partial<OptionTerms> | object = {}, fund = 1_000_000): OptionWorld {
  const world = new OptionWorld(givenSpot())
  world.do({ type: 'market.list', symbol: 'ETHUSDT', base: 3, quote: 1, tick: '0.01', lot: '0.001', terms: { ...spotTerms } }).isAccepted()
  world.do({ type: 'option.setTerms', terms: { ...firstTerms, ...changed } }).isAccepted()
  if (fund > 0) world.do({ type: 'funds.system', account: 'option-house', asset: 1, amount: units(fund) }).isAccepted()
  world.tick({ 1: 60_000, 3: 3000 })
  return world
}

const spotTerms = {
  makerFeePpm: 1000,
  takerFeePpm: 1000,
  notionalMin: 5_000_000,
  lotsMin: 1,
  lotsMax: 1_000_000_000,
  bandPpm: 200_000,
  slippagePpm: 50_000,
  openOrdersMax: 200,
  isTrading: true,
}

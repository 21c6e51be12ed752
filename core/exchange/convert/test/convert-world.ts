import { usdtPrice } from '../../../risk/convert.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { given, type Told, type World } from '../../test/world.ts'

export const [usdt, btc, eth] = [1, 2, 3] as const
/** One USDT, one BTC and one ETH in units. */
export const whole = { usdt: 1_000_000, btc: 100_000_000, eth: 100_000_000 } as const
export { usdtPrice }

/** Terms with the defaults of the exchange: 0.1 % spread, 8 s, decided after 1.5 s. */
export const convertTerms = {
  isOpen: true,
  spreadPpm: 1000,
  validMs: 8000,
  delayMs: 1500,
  waitMs: 10_000,
  driftPpm: 800,
  bookPpm: 10_000,
  min: 5 * whole.usdt,
  max: 50_000 * whole.usdt,
  userMax: 200_000 * whole.usdt,
  hedger: 0,
  shelves: [
    { asset: usdt, target: 500_000 * whole.usdt, band: 400_000 * whole.usdt },
    { asset: btc, target: 10 * whole.btc, band: 5 * whole.btc },
    { asset: eth, target: 100 * whole.eth, band: 50 * whole.eth },
  ],
}

/**
 * A world with an inventory at its targets, markets of BTC and ETH in USDT with books around 50,000 and 2,500, and a good index there.
 * `names`: users with 100,000 USDT, 2 BTC and 20 ETH each.
 */
export function convertWorld(...names: readonly string[]): ConvertWorld {
  const world = given({})
  const market = { symbol: 'ETHUSDT', base: eth, quote: usdt, tick: '0.1', lot: '0.001' }
  const terms = { makerFeePpm: 1000, takerFeePpm: 1000, notionalMin: 5_000_000, lotsMin: 1, lotsMax: 1e9 }
  const more = { bandPpm: 200_000, slippagePpm: 50_000, openOrdersMax: 200, isTrading: true }
  world.do({ type: 'market.list', ...market, terms: { ...terms, ...more } }).isAccepted()
  const convert = new ConvertWorld(world)
  for (const name of names) world.gives(name, 'USDT', '100000').gives(name, 'BTC', '2').gives(name, 'ETH', '20')
  for (const [asset, amount] of [
    [usdt, 500_000 * whole.usdt],
    [btc, 10 * whole.btc],
    [eth, 100 * whole.eth],
  ] as const)
    world.do({ type: 'funds.system', account: 'convert-inventory', asset, amount }).isAccepted()
  convert.index(50_000, 2500)
  convert.deepen(50_000, 2500)
  convert.terms({}).isAccepted()
  return convert
}

/** Shorthands for the commands of conversions. */
export class ConvertWorld {
  readonly world: World

  constructor(world: World) {
    this.world = world
  }

  do(command: object): Told {
    return this.world.do(command)
  }

  terms(changed: object): Told {
    return this.do({ type: 'convert.setTerms', terms: { ...convertTerms, ...changed } })
  }

  /** An index tick of both markets in USDT; a price below zero is not good. */
  index(btcPrice: number, ethPrice: number): Told {
    const prices = [
      { market: 1, price: btcPrice },
      { market: 3, price: ethPrice },
    ].map(({ market, price }) => {
      const isGood = price > 0
      return { market, price: Math.round(Math.abs(price) * 1e8), sources: isGood ? 3 : 1, isGood }
    })
    return this.do({ type: 'index.tick', prices })
  }

  /** Puts a deep book around both prices, half a thousandth away: the inventory's prices are then those of the book. */
  deepen(btcPrice: number, ethPrice: number): void {
    this.world.gives('deep', 'USDT', '10000000').gives('deep', 'BTC', '100').gives('deep', 'ETH', '1000')
    const away = (price: number, sign: number): number => Math.round(price * (1 + sign * 0.0002))
    this.world.buy('deep', away(btcPrice, -1), 10_000).isAccepted()
    this.world.sell('deep', away(btcPrice, 1), 10_000).isAccepted()
    this.world.buy('deep', away(ethPrice, -1) * 10, 200_000, { market: 3 }).isAccepted()
    this.world.sell('deep', away(ethPrice, 1) * 10, 200_000, { market: 3 }).isAccepted()
  }

  quote(name: string, from: number, to: number, amount: number, more: object = {}): Told {
    return this.do({ type: 'convert.quote', user: this.world.user(name), clientId: '', from, to, amount, isGet: false, ...more })
  }

  /** A quote that is given. */
  quoted(name: string, from: number, to: number, amount: number, more: object = {}): Quoted {
    return this.quote(name, from, to, amount, more).isAccepted().of('convert.quoted')[0]!
  }

  accept(name: string, quote: number): Told {
    return this.do({ type: 'convert.accept', user: this.world.user(name), quote })
  }

  hedge(name: string, asset: number, amount: number, isTaking: boolean): Told {
    return this.do({ type: 'convert.hedge', user: this.world.user(name), clientId: '', asset, amount, isTaking })
  }

  wait(ms: number): this {
    this.world.atMs += ms
    return this
  }

  /** Available and held units of the inventory. */
  inventory(asset: number): readonly [number, number] {
    const found = this.world.exchange
      .accounts()
      .find(({ account }) => 'system' in account && account.system === 'convert-inventory' && account.asset === asset)
    return [found?.available ?? 0, found?.held ?? 0]
  }

  /** Available units in the user's spot account. */
  units(name: string, asset: number): number {
    const found = this.world.exchange
      .balances(this.world.user(name))
      .find(({ account }) => 'kind' in account && account.kind === 'spot' && account.asset === asset)
    return found?.available ?? 0
  }

  /** All of the commands are refused, and change nothing. */
  allRefused(refusal: Refusal, ...commands: readonly (() => Told)[]): void {
    const before = this.world.exchange.dump()
    for (const command of commands) command().isRefused(refusal)
    const [now, was] = [this.world.exchange.dump(), before].map((dump) => new Float64Array(new Uint8Array(dump).buffer))
    // All but the number of the last command.
    if (now!.length !== was!.length || now!.some((slot, i) => slot !== was![i] && i !== 2)) throw new Error('a refusal changed the state')
  }
}

type Quoted = ReturnType<Told['of']>[number] & { readonly type: 'convert.quoted' }

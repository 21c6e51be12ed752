/** The slow twin of the projected costs: it keeps everything that happened, and computes each coin of each user from the beginning. */
import type { Event, EntryEvent } from '@candor/core/protocol/event/index.ts'
import type { Asset, Market } from '@candor/core/protocol/market.ts'

/** Units that came (+) or went (−), or that were borrowed (+) or repaid (−). `worth`: in millionths of a USDT, undefined: unknown. */
type Step =
  | { readonly of: 'coins'; readonly units: bigint; readonly worth: bigint | undefined; readonly isProfit: boolean }
  | { readonly of: 'debt'; readonly units: bigint; readonly worth: bigint | undefined; readonly isProfit: boolean }

export type TwinCost = { quantity: bigint; cost: bigint; realised: bigint; debt: bigint; debtCost: bigint; isPartial: boolean }

const inside = ['transfer', 'supply', 'withdraw', 'hold', 'release', 'trade', 'fee', 'convert']
const expenses = ['repay', 'interest', 'insurance', 'liquidation-fee', 'withdrawal-fee']

export class CostTwin {
  readonly #steps = new Map<string, Step[]>()
  readonly #assets = new Map<number, Asset>()
  readonly #markets = new Map<number, Market>()
  readonly #prices = new Map<number, bigint>()
  readonly #makers = new Set<number>()

  /** The events of one command. */
  add(events: readonly Event[]): void {
    events.forEach((event, at) => this.#event(event, events.slice(0, at)))
  }

  costs(): ReadonlyMap<string, TwinCost> {
    return new Map([...this.#steps].map(([key, steps]) => [key, sum(steps)]))
  }

  #event(event: Event, before: readonly Event[]): void {
    if (event.type === 'asset.listed') this.#assets.set(event.asset.id, event.asset)
    if (event.type === 'market.listed') this.#markets.set(event.market.id, event.market)
    if (event.type === 'user.opened' && event.class !== 'retail') this.#makers.add(event.user)
    if (event.type === 'tape.extended') for (const { market, price } of event.prices) this.#prices.set(market, BigInt(price))
    if (event.type === 'entry') this.#entry(event)
    if (event.type === 'presale.allocated') {
      const entries = before.filter((one): one is EntryEvent => one.type === 'entry' && one.reason === 'presale-allocate')
      const { account, delta, heldDelta } = entries.findLast(({ account: of }) => 'user' in of && of.user === event.user) as EntryEvent
      this.#coins(event.user, account.asset, delta + heldDelta, this.#worth(account.asset, delta + heldDelta) ?? BigInt(event.cost), false)
    }
    if (event.type === 'margin.loan') {
      const isInterest = event.cause === 'interest' || event.delta < 0
      this.#step(event.user, event.asset, {
        ...{ of: 'debt', units: BigInt(event.delta), worth: this.#worth(event.asset, event.delta), isProfit: isInterest },
      })
    }
    if (event.type === 'convert.filled') {
      const [from, to] = [this.#symbol(event.from), this.#symbol(event.to)]
      const atQuote = (BigInt(event.give) * BigInt(event.fromPrice)) / 10n ** BigInt(this.#scale(event.from) + 2)
      const worth = to === 'USDT' ? BigInt(event.get) : from === 'USDT' ? BigInt(event.give) : atQuote
      this.#coins(event.user, event.from, -event.give, worth, true)
      this.#coins(event.user, event.to, event.get, worth, true)
    }
    if (event.type === 'traded') {
      const market = this.#markets.get(event.market) as Market
      if (market.perp !== undefined) return
      const coins = event.lots * market.basePerLot
      const sides = [
        { side: event.takerSide, user: event.takerUser, fee: event.takerFee },
        { side: event.takerSide === 'buy' ? 'sell' : 'buy', user: event.makerUser, fee: event.makerFee },
      ]
      const sale = sides.find(({ side }) => side === 'sell') as (typeof sides)[number]
      const buy = sides.find(({ side }) => side === 'buy') as (typeof sides)[number]
      const earned = this.#worth(market.quote, event.quote - sale.fee) ?? this.#worth(market.base, coins)
      this.#coins(sale.user, market.base, -coins, earned, true)
      this.#coins(sale.user, market.quote, event.quote - sale.fee, earned, true)
      const paid = this.#worth(market.quote, event.quote) ?? this.#worth(market.base, coins)
      this.#coins(buy.user, market.quote, -event.quote, paid, true)
      this.#coins(buy.user, market.base, coins - buy.fee, paid, true)
    }
  }

  #entry({ account, reason, delta, heldDelta }: EntryEvent): void {
    if (!('user' in account) || inside.includes(reason) || reason === 'presale-allocate' || delta + heldDelta === 0) return
    const units = delta + heldDelta
    const isExpense = units < 0 && expenses.includes(reason)
    this.#coins(account.user, account.asset, units, isExpense ? 0n : this.#worth(account.asset, units), isExpense)
  }

  #coins(user: number, asset: number, units: number, worth: bigint | undefined, isProfit: boolean): void {
    this.#step(user, asset, { of: 'coins', units: BigInt(units), worth, isProfit })
  }

  #step(user: number, asset: number, step: Step): void {
    if (this.#makers.has(user) || this.#symbol(asset) === 'USDT') return
    const key = `${user} ${this.#symbol(asset)}`
    const steps = this.#steps.get(key) ?? []
    this.#steps.set(key, steps)
    steps.push(step)
  }

  #worth(asset: number, units: number): bigint | undefined {
    const size = BigInt(Math.abs(units))
    if (this.#symbol(asset) === 'USDT') return size
    const market = [...this.#markets.values()].find((one) => one.symbol === `${this.#symbol(asset)}USDT`)
    const price = market === undefined ? undefined : this.#prices.get(market.id)
    return price === undefined ? undefined : (size * price) / 10n ** BigInt(this.#scale(asset) + 2)
  }

  #symbol(asset: number): string {
    return (this.#assets.get(asset) as Asset).symbol
  }

  #scale(asset: number): number {
    return (this.#assets.get(asset) as Asset).scale
  }
}

function sum(steps: readonly Step[]): TwinCost {
  const now = { quantity: 0n, cost: 0n, realised: 0n, debt: 0n, debtCost: 0n, isPartial: false }
  for (const { of, units, worth, isProfit } of steps) {
    const isKnown = !now.isPartial
    const [held, paid] = of === 'coins' ? (['quantity', 'cost'] as const) : (['debt', 'debtCost'] as const)
    if (units > 0n) {
      now[held] += units
      if (worth === undefined) now.isPartial = true
      else now[paid] += worth
      if (of === 'debt' && isProfit) now.realised -= worth ?? 0n
      continue
    }
    const part = (now[paid] * -units) / now[held]
    now[held] += units
    now[paid] -= part
    if (isKnown && of === 'debt') now.realised += part
    if (isKnown && of === 'coins' && isProfit && worth !== undefined) now.realised += worth - part
    if (now.quantity === 0n && now.debt === 0n) now.isPartial = false
  }
  return now
}

import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { coins, coinsOf, USDT } from './coins.ts'
import type { Coin } from './coins.ts'

/** The combined holdings of some users: USDT, and each coin with its sign. Futures positions count as the coins they represent. */
export type Worth = { readonly usdt: number; readonly held: ReadonlyMap<Coin, number> }

/**
 * Adds up all accounts of these users. With `price`, an account that owes more than it has counts as 0, because its owner abandons
 * it. A coin without an index price counts as 0.
 *
 * taken   margin accounts, as `user/market`, that the insurance fund took over: their contents no longer belong to the users
 */
export function worthOf(exchange: Exchange, users: Iterable<number>, taken: ReadonlySet<string>, price?: (coin: Coin) => number): Worth {
  const all = new Sum()
  for (const number of users) {
    const user = number as UserId
    const balances = exchange.balances(user)
    const perp = new Sum()
    for (const { account, available, held } of balances) {
      if (!('kind' in account) || account.kind.startsWith('margin')) continue
      const into = account.kind === 'perp' ? perp : all
      into.add(account.asset, available + held)
    }
    for (const { market, balances: parts } of exchange.marginHoldings(user)) {
      if (taken.has(`${user}/${market}`)) continue
      const account = new Sum()
      for (const { asset, available, held, principal, interest } of parts) account.add(asset, available + held - principal - interest)
      all.join(account, price)
    }
    for (const { market, lots, cost } of exchange.perpAccount(user).positions) {
      const coin = coins.find((one) => one.perp === market)!
      perp.usdt += (lots > 0 ? -cost : cost) / 1e6
      perp.hold(coin, Math.sign(lots) * coinsOf(coin, Math.abs(lots)))
    }
    all.join(perp, price)
  }
  return all
}

class Sum implements Worth {
  usdt = 0
  readonly held = new Map<Coin, number>()

  add(asset: number, units: number): void {
    if (asset === USDT) this.usdt += units / 1e6
    const coin = coins.find((one) => one.asset === asset)
    if (coin !== undefined) this.hold(coin, units / 10 ** coin.scale)
  }

  hold(coin: Coin, amount: number): void {
    this.held.set(coin, (this.held.get(coin) ?? 0) + amount)
  }

  /** Adds another sum; with `price`, only if it is not negative. */
  join(other: Sum, price: ((coin: Coin) => number) | undefined): void {
    let value = other.usdt
    if (price !== undefined) for (const [coin, amount] of other.held) value += amount * price(coin)
    if (price !== undefined && value <= 0) return
    this.usdt += other.usdt
    for (const [coin, amount] of other.held) this.hold(coin, amount)
  }
}

import type { Decimal } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import {
  statementLines,
  type WireStatement,
  type WireStatementAccount,
  type WireStatementCoin,
  type WireStatementDebt,
  type WireStatementSums,
  type WireStatementValue,
  type WireUsedPrice,
} from '@candor/core/protocol/wire/days/daily.ts'
import type { BalanceFact, DebtFact, MoveFact, PriceFact, StatementFacts } from '../../store/query/daily/facts.ts'
import { lineOf } from '../../store/query/daily/lines.ts'

/** Digits of exact sums: more than those of any asset. */
const exact = 18
/** Digits of values in USDT. */
const shown = 6

/** The statement of a day from what the tables say of it. Amounts are exact; values are rounded to a millionth of a USDT. */
export function statementOf(day: string, facts: StatementFacts): WireStatement {
  const priceOf = pricesOf(facts.prices)
  const accounts = accountsOf(facts).map((part) => accountOf(part, priceOf))
  const used = new Set(accounts.flatMap(({ coins, debts }) => [...coins, ...debts].map(({ asset }) => asset)))
  return {
    ...{ day, isFinal: facts.isFinal, accounts, total: totalOf(accounts) },
    prices: [...used]
      .filter((asset) => asset !== 'USDT')
      .toSorted()
      .map((asset) => ({ asset, opening: usedPrice(facts.prices, asset, false), closing: usedPrice(facts.prices, asset, true) })),
  }
}

type Part = {
  readonly kind: BalanceFact['kind']
  readonly market: string
  readonly balances: readonly BalanceFact[]
  readonly moves: readonly MoveFact[]
  readonly debts: readonly DebtFact[]
  readonly openProfit: StatementFacts['openProfit']
  readonly pledged: StatementFacts['pledged']
}
const nothing = { opening: '0', closing: '0' } as const
type PriceOf = (asset: string, isClosing: boolean) => bigint | undefined

/** Accounts that had something at the beginning, at the end, or in between. */
function accountsOf({ balances, moves, debts, openProfit, pledged }: StatementFacts): readonly Part[] {
  const parts = new Map<string, { kind: BalanceFact['kind']; market: string }>()
  for (const { kind, market } of [...balances, ...debts, ...moves]) parts.set(`${kind} ${market}`, { kind, market })
  const order = ['spot', 'perp', 'margin-cross', 'margin-isolated', 'option', 'lend']
  return [...parts.values()]
    .map(({ kind, market }) => {
      const own = <T extends { kind: string; market: string }>(all: readonly T[]): readonly T[] =>
        all.filter((one) => one.kind === kind && one.market === market)
      const inside = { openProfit: kind === 'perp' ? openProfit : nothing, pledged: kind === 'spot' ? pledged : nothing }
      return { kind, market, balances: own(balances), moves: own(moves), debts: own(debts), ...inside }
    })
    .filter(
      ({ balances, moves, debts, pledged: own }) =>
        moves.length > 0 || [...balances, ...debts, own].some((one) => !isZero(one.opening) || !isZero(one.closing)),
    )
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (a.market < b.market ? -1 : 1))
}

function accountOf(part: Part, priceOf: PriceOf): WireStatementAccount {
  const { kind, market, balances, debts } = part
  const coins = balances.map((one) => coinOf(one, part.moves)).filter(({ opening, lines, closing }) => hasAny(opening, closing, lines))
  const owed = debts
    .filter((one) => hasAny(one.opening, one.closing, { a: one.borrowed, b: one.interest, c: one.repaid }))
    .map(({ asset, opening, borrowed, interest, repaid, closing }) => ({ asset, opening, borrowed, interest, repaid, closing }))
  return { kind, ...(market === '' ? {} : { symbol: market }), coins, debts: owed, value: valueOf(part, coins, owed, priceOf) }
}

function coinOf({ asset, opening, closing }: BalanceFact, moves: readonly MoveFact[]): WireStatementCoin {
  const sums = zeros()
  for (const move of moves) if (move.asset === asset) sums[lineOf(move.reason)] += fixed(move.amount)
  return { asset, opening, lines: textsOf(sums), closing }
}

function valueOf(
  { moves, openProfit, pledged }: Part,
  coins: readonly WireStatementCoin[],
  debts: readonly WireStatementDebt[],
  priceOf: PriceOf,
): WireStatementValue | null {
  const worth = (isClosing: boolean): bigint | null =>
    sumAll([
      ...coins.map((one) => times(isClosing ? one.closing : one.opening, priceOf(one.asset, isClosing))),
      ...debts.map((one) => negative(times(isClosing ? one.closing : one.opening, priceOf(one.asset, isClosing)))),
      ...[openProfit, pledged].map((sums) => fixed(isClosing ? sums.closing : sums.opening) * 10n ** BigInt(exact)),
    ])
  const line = (name: 'fees' | 'funding' | 'interest'): bigint | null =>
    sumAll(coins.map((one) => times(one.lines[name], priceOf(one.asset, true))))
  const owedInterest = sumAll(debts.map((one) => negative(times(one.interest, priceOf(one.asset, true)))))
  const parts = {
    ...{ opening: worth(false), closing: worth(true), net: flows(moves, false), transfers: flows(moves, true) },
    ...{ fees: line('fees'), funding: line('funding'), interest: sumAll([line('interest'), owedInterest]) },
  }
  if (Object.values(parts).includes(null)) return null
  const { opening, closing, net, transfers, fees, funding, interest } = parts as { readonly [N in keyof typeof parts]: bigint }
  const rounded = [opening, closing, net, transfers, fees, funding, interest].map(roundHalfAway)
  return valueFrom(rounded as [bigint, bigint, bigint, bigint, bigint, bigint, bigint], { openProfit, pledged })
}

/** Completes a value: the profit is what no flow explains, and trading what no cost explains of it. */
function valueFrom(
  [opening, closing, net, transfers, fees, funding, interest]: readonly [bigint, bigint, bigint, bigint, bigint, bigint, bigint],
  inside: Pick<WireStatementValue, 'openProfit' | 'pledged'>,
): WireStatementValue {
  const profit = closing - opening - net - transfers
  const trading = profit - fees - funding - interest
  return {
    ...{ opening: usdt(opening), net: usdt(net), transfers: usdt(transfers), fees: usdt(fees), funding: usdt(funding) },
    ...{ interest: usdt(interest), trading: usdt(trading), profit: usdt(profit), closing: usdt(closing), ...inside },
  }
}

/** Of all accounts together: every sum is the sum of theirs. */
function totalOf(accounts: readonly WireStatementAccount[]): WireStatementSums {
  const coins = new Map<string, { opening: bigint; closing: bigint; sums: ReturnType<typeof zeros> }>()
  const debts = new Map<string, [bigint, bigint, bigint, bigint, bigint]>()
  for (const account of accounts) {
    for (const { asset, opening, lines, closing } of account.coins) {
      const all = coins.get(asset) ?? { opening: 0n, closing: 0n, sums: zeros() }
      coins.set(asset, all)
      all.opening += fixed(opening)
      all.closing += fixed(closing)
      for (const line of statementLines) all.sums[line] += fixed(lines[line])
    }
    for (const { asset, opening, borrowed, interest, repaid, closing } of account.debts) {
      const before = debts.get(asset) ?? [0n, 0n, 0n, 0n, 0n]
      const more = [opening, borrowed, interest, repaid, closing].map(fixed)
      debts.set(asset, before.map((sum, i) => sum + (more[i] as bigint)) as typeof before)
    }
  }
  const values = accounts.map(({ value }) => value)
  const add = (of: (value: WireStatementValue) => Decimal): bigint =>
    values.reduce((sum, value) => sum + (value === null ? 0n : fixed(of(value)) / 10n ** BigInt(exact - shown)), 0n)
  const both = (name: 'openProfit' | 'pledged') => ({
    opening: usdt(add((one) => one[name].opening)),
    closing: usdt(add((one) => one[name].closing)),
  })
  const inside = { openProfit: both('openProfit'), pledged: both('pledged') }
  const sums = (['opening', 'closing', 'net', 'transfers', 'fees', 'funding', 'interest'] as const).map((name) => add((one) => one[name]))
  return {
    coins: [...coins]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([asset, { opening, closing, sums }]) => ({ asset, opening: text(opening), lines: textsOf(sums), closing: text(closing) })),
    debts: [...debts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([asset, all]) => {
        const [opening, borrowed, interest, repaid, closing] = all.map(text) as [Decimal, Decimal, Decimal, Decimal, Decimal]
        return { asset, opening, borrowed, interest, repaid, closing }
      }),
    value: values.includes(null) ? null : valueFrom(sums as [bigint, bigint, bigint, bigint, bigint, bigint, bigint], inside),
  }
}

function pricesOf(prices: readonly PriceFact[]): PriceOf {
  const found = new Map(prices.map((one) => [`${one.asset} ${one.isClosing}`, fixed(one.price)]))
  return (asset, isClosing) => (asset === 'USDT' ? 10n ** BigInt(exact) : found.get(`${asset} ${isClosing}`))
}

function usedPrice(prices: readonly PriceFact[], asset: string, isClosing: boolean): WireUsedPrice | null {
  const found = prices.find((one) => one.asset === asset && one.isClosing === isClosing)
  if (found === undefined) return null
  const { price, minute, isReference, isPresale } = found
  return { price, minute, symbol: `${asset}USDT`, isReference, isPresale }
}

/** An amount at a price, with twice the exact digits; null without the price, unless there is nothing to value. */
function times(amount: Decimal, price: bigint | undefined): bigint | null {
  if (isZero(amount)) return 0n
  return price === undefined ? null : fixed(amount) * price
}

/** Values of transfers, or of money from and to outside, with twice the exact digits. */
function flows(moves: readonly MoveFact[], ofTransfers: boolean): bigint | null {
  const isFlow = ({ reason }: MoveFact): boolean => {
    const line = lineOf(reason)
    return ofTransfers ? line === 'transfers' : ['deposits', 'withdrawals', 'practice', 'adjustments', 'moves'].includes(line)
  }
  return sumAll(moves.filter(isFlow).map(({ value }) => (value === null ? null : rawOf(value))))
}

/** A value with up to twice the exact digits, as the database sums it. */
function rawOf(value: Decimal): bigint {
  const [whole = '0', part = ''] = value.split('.')
  return BigInt(`${whole}${part.slice(0, 2 * exact).padEnd(2 * exact, '0')}`)
}

const negative = (value: bigint | null): bigint | null => (value === null ? null : -value)

function sumAll(values: readonly (bigint | null)[]): bigint | null {
  let sum = 0n
  for (const value of values) {
    if (value === null) return null
    sum += value
  }
  return sum
}

/** Rounds a product to millionths, half away from zero, as PostgreSQL does. */
function roundHalfAway(value: bigint): bigint {
  const unit = 10n ** BigInt(2 * exact - shown)
  const size = value < 0n ? -value : value
  const rounded = (size + unit / 2n) / unit
  return value < 0n ? -rounded : rounded
}

function fixed(amount: Decimal): bigint {
  const [whole = '0', part = ''] = amount.split('.')
  return BigInt(`${whole}${part.slice(0, exact).padEnd(exact, '0')}`)
}

const text = (value: bigint): Decimal => formatUnits(value, exact)
const usdt = (value: bigint): Decimal => formatUnits(value, shown)
const isZero = (amount: Decimal): boolean => fixed(amount) === 0n

function hasAny(opening: Decimal, closing: Decimal, others: Readonly<Record<string, Decimal>>): boolean {
  return [opening, closing, ...Object.values(others)].some((amount) => !isZero(amount))
}

type Sums = Record<(typeof statementLines)[number], bigint>

function zeros(): Sums {
  return Object.fromEntries(statementLines.map((line) => [line, 0n])) as Sums
}

function textsOf(sums: Sums): WireStatementCoin['lines'] {
  return Object.fromEntries(statementLines.map((line) => [line, text(sums[line])])) as unknown as WireStatementCoin['lines']
}

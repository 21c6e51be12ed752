import type { CancelRequest, Held, HeldOrder, HeldTrade, OrderRequest, Told, TransferRequest } from './record.ts'

/** Each fault as a sentence. */
export type Verdict = {
  readonly acknowledged: number
  /** Acknowledged requests without their effect. */
  readonly lost: readonly string[]
  /** Effects that no acknowledged request has, or that one has twice. */
  readonly doubled: readonly string[]
  /** Balances that are not what trades and transfers make of those before. */
  readonly unbalanced: readonly string[]
}

export const isFlawless = ({ lost, doubled, unbalanced }: Verdict): boolean => lost.length + doubled.length + unbalanced.length === 0

/**
 * Compares what the exchange told its customers with what it lists afterwards.
 *
 * told  the final answer to every request: none may be open
 */
export function compare(told: readonly Told[], helds: readonly Held[]): Verdict {
  const verdicts = helds.map((held) =>
    compareOne(
      told.filter(({ customer }) => customer === held.customer),
      held,
    ),
  )
  return {
    acknowledged: told.filter(({ isAcknowledged }) => isAcknowledged).length,
    lost: verdicts.flatMap(({ lost }) => lost),
    doubled: verdicts.flatMap(({ doubled }) => doubled),
    unbalanced: verdicts.flatMap(({ unbalanced }) => unbalanced),
  }
}

type Answer<T> = Told & { readonly request: T }
type Faults = { readonly lost: string[]; readonly doubled: string[]; readonly unbalanced: string[] }

function compareOne(told: readonly Told[], held: Held): Faults {
  const faults: Faults = { lost: [], doubled: [], unbalanced: [] }
  compareOrders(told.filter(isOrder), held, faults)
  compareCancels(told.filter(isCancel), held, faults)
  compareTransfers(told.filter(isTransfer), held, faults)
  compareFills(held, faults)
  compareBalances(held, faults)
  return faults
}

const isOrder = (one: Told): one is Answer<OrderRequest> => one.request.kind === 'order'
const isCancel = (one: Told): one is Answer<CancelRequest> => one.request.kind === 'cancel'
const isTransfer = (one: Told): one is Answer<TransferRequest> => one.request.kind === 'transfer'

function compareOrders(told: readonly Answer<OrderRequest>[], { customer, orders }: Held, { lost, doubled }: Faults): void {
  const acknowledged = new Map(told.filter((one) => one.isAcknowledged).map((one) => [one.request.id, one]))
  const found = new Map<string, HeldOrder[]>()
  for (const order of orders) found.set(order.id, [...(found.get(order.id) ?? []), order])
  for (const [id, { request, number }] of acknowledged) {
    const list = found.get(id) ?? []
    const isThere = list.some((order) => order.number === number && hasContents(order, request))
    if (!isThere)
      lost.push(`customer ${customer}: order ${id}, acknowledged as ${number}, is ${list.map(nameOf).join(' and ') || 'missing'}`)
    if (list.length > 1) doubled.push(`customer ${customer}: order ${id} is there ${list.length} times: ${list.map(nameOf).join(', ')}`)
  }
  for (const [id, list] of found)
    if (!acknowledged.has(id))
      doubled.push(`customer ${customer}: order ${id} was never acknowledged, but is ${list.map(nameOf).join(', ')}`)
}

const nameOf = ({ number, side, quantity, price, status }: HeldOrder): string => `${number} (${side} ${quantity} at ${price}, ${status})`

const hasContents = (order: HeldOrder, { side, price, quantity }: OrderRequest): boolean =>
  order.side === side && exact(order.price) === exact(price) && exact(order.quantity) === exact(quantity)

function compareCancels(told: readonly Answer<CancelRequest>[], { customer, orders }: Held, { lost }: Faults): void {
  const open = new Set(orders.filter(({ status }) => status === 'NEW' || status === 'PARTIALLY_FILLED').map(({ id }) => id))
  for (const { request, isAcknowledged } of told) {
    if (isAcknowledged && open.has(request.target))
      lost.push(`customer ${customer}: cancel ${request.id} was acknowledged, but order ${request.target} is open`)
  }
}

function compareTransfers(told: readonly Answer<TransferRequest>[], { customer, transfers }: Held, { lost, doubled }: Faults): void {
  const left = new Map<string, number>()
  const keyOf = (number: number, type: string, amount: string): string => `${number}: ${type} ${exact(amount)}`
  for (const { number, type, amount } of transfers) {
    const key = keyOf(number, type, amount)
    left.set(key, (left.get(key) ?? 0) + 1)
  }
  for (const { request, isAcknowledged, number } of told) {
    if (!isAcknowledged) continue
    const key = keyOf(number, request.type, request.amount)
    const count = left.get(key) ?? 0
    if (count === 0) lost.push(`customer ${customer}: transfer ${request.id}, acknowledged as ${number}, is missing`)
    else left.set(key, count - 1)
  }
  for (const [key, count] of left) if (count > 0) doubled.push(`customer ${customer}: a transfer too many, ${key}`)
}

function compareFills({ customer, orders, trades }: Held, { unbalanced }: Faults): void {
  const sums = new Map<number, bigint>()
  for (const { order, quantity } of trades) sums.set(order, (sums.get(order) ?? 0n) + exact(quantity))
  for (const { id, number, filled } of orders) {
    const sum = sums.get(number) ?? 0n
    if (sum !== exact(filled)) unbalanced.push(`customer ${customer}: order ${id} is filled by ${filled}, its trades are ${plain(sum)}`)
  }
}

function compareBalances({ customer, transfers, trades, before, after }: Held, { unbalanced }: Faults): void {
  for (const [asset, balance] of Object.entries(before)) {
    const moved = asset === 'USDT' ? transfers.map(({ type, amount }) => (type === 'MAIN_UMFUTURE' ? -exact(amount) : exact(amount))) : []
    const traded = trades.map((trade) => effectOf(trade, asset))
    const expected = [...moved, ...traded].reduce((sum, one) => sum + one, exact(balance))
    const found = exact(after[asset] ?? '0')
    if (found !== expected) unbalanced.push(`customer ${customer}: ${plain(found)} ${asset} instead of ${plain(expected)}`)
  }
}

function effectOf({ isBuyer, quantity, value, fee, feeAsset }: HeldTrade, asset: string): bigint {
  const got = asset === 'BTC' ? exact(quantity) : exact(value)
  const isGain = isBuyer === (asset === 'BTC')
  return (isGain ? got : -got) - (feeAsset === asset ? exact(fee) : 0n)
}

const places = 12

/** A plain decimal as a whole number of its twelfth place. throws Error when it has more places */
export function exact(text: string): bigint {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === '' || rest.length > places) throw new Error(`${text} is no plain decimal with at most ${places} places`)
  return BigInt(`${sign}${whole}${rest.padEnd(places, '0')}`)
}

function plain(sum: bigint): string {
  const digits = (sum < 0n ? -sum : sum).toString().padStart(places + 1, '0')
  const text = `${sum < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
  return text.replace(/\.?0+$/, '')
}

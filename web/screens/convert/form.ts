/** The form of a conversion: two coins and one typed sum, of the coin that is given or of the one that is received. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireConvertTerms, WireQuoteRequest } from '@candor/core/protocol/wire/convert.ts'

export type Side = 'give' | 'get'

/** `side`: where the amount was typed last. The other sum follows from it. */
export type Form = { readonly from: string; readonly to: string; readonly side: Side; readonly amount: string }

export type Action =
  | { readonly type: 'amount'; readonly side: Side; readonly amount: string }
  | { readonly type: 'coin'; readonly side: Side; readonly asset: string }
  | { readonly type: 'turn' }

/** The coins of the query, or the nearest that can be converted. Undefined when fewer than two coins can. */
export function startOf(query: URLSearchParams, coins: WireConvertTerms['assets']): Form | undefined {
  const known = (asset: string | null): string | undefined => coins.find((coin) => coin.asset === asset)?.asset
  const [wantedFrom, wantedTo] = [known(query.get('from')), known(query.get('to'))]
  const other = (asset: string | undefined): string | undefined =>
    ['USDT', 'BTC', ...coins.map((coin) => coin.asset)].find((one) => one !== asset && known(one) !== undefined)
  const from = wantedFrom ?? other(wantedTo)
  const to = wantedTo !== undefined && wantedTo !== from ? wantedTo : other(from)
  return from === undefined || to === undefined ? undefined : { from, to, side: 'give', amount: '' }
}

/** The form after an action. A typed amount belongs to its coin: it moves with it, and goes when another coin takes its place. */
export function reduce(form: Form, action: Action): Form {
  if (action.type === 'amount') return { ...form, side: action.side, amount: action.amount }
  if (action.type === 'turn') return { from: form.to, to: form.from, side: form.side === 'give' ? 'get' : 'give', amount: form.amount }
  const { side, asset } = action
  const [own, other] = side === 'give' ? [form.from, form.to] : [form.to, form.from]
  if (asset === own) return form
  if (asset === other) return reduce(form, { type: 'turn' })
  const coins = side === 'give' ? { from: asset, to: form.to } : { from: form.from, to: asset }
  return { ...coins, side: form.side, amount: side === form.side ? '' : form.amount }
}

/** The typed amount for the request, without a trailing point. */
export function plain(text: string): Decimal {
  return text.replace(/\.$/, '')
}

/** The part of the request that the form decides. */
export function requestOf({ from, to, side, amount }: Form): Omit<WireQuoteRequest, 'clientId'> {
  return side === 'give' ? { from, to, give: plain(amount) } : { from, to, get: plain(amount) }
}

import type { Decimal, Millis } from '@candor/core/money/brand.ts'
import { isDecimal } from '@candor/core/money/units.ts'
import type { WireSignalTemplate } from '@candor/core/protocol/wire/own/signals.ts'
import { parseJsonText } from '../http/body.ts'
import { Refused } from '../refused.ts'

/** Largest alert, in bytes. */
export const alertMax = 2_048

/** What an alert asks for, by the words of its sender. */
export type Alert = {
  /** As the app names markets: BTCUSDT, BTCUSDTPERP. */
  readonly symbol: string
  readonly action: 'buy' | 'sell' | 'close'
  readonly orderType: 'market' | 'limit'
  readonly quantity?: Decimal
  readonly quote?: Decimal
  readonly price?: Decimal
  readonly id?: string
  readonly at?: Millis
}

type Template = WireSignalTemplate & { readonly position?: string; readonly isStrict?: boolean }

const words = { buy: ['buy'], sell: ['sell'], close: ['close'] }

/** The exchange's own format. Unknown fields are refused, so that no typing error changes an order. */
const own: Template = {
  ...{ symbol: 'symbol', action: 'side', quantity: 'quantity', quote: 'quote', type: 'type', price: 'price', id: 'id', time: 'time' },
  ...{ ...words, isStrict: true },
}
/** The documented message for alerts of TradingView. */
const tradingView: Template = {
  ...{ symbol: 'ticker', action: 'action', quantity: 'contracts', type: 'type', price: 'price', id: 'id', time: 'time' },
  ...{ ...words, position: 'position' },
}

/**
 * Reads an alert: JSON in the exchange's own format or TradingView's, or as the owner's template has it.
 *
 * throws  Refused BODY_TOO_LARGE, BODY_MALFORMED, FIELD_MISSING, FIELD_UNKNOWN, FIELD_INVALID, MARKET_UNKNOWN
 */
export function alertOf(text: string, template: WireSignalTemplate | undefined): Alert {
  if (Buffer.byteLength(text) > alertMax) throw new Refused('BODY_TOO_LARGE')
  const value = parseJsonText(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refused('BODY_MALFORMED')
  const fields = JSON.parse(text, asWritten) as Fields
  return readBy(fields, template ?? (Object.hasOwn(fields, 'ticker') ? tradingView : own))
}

type Fields = Readonly<Record<string, unknown>>

/** Numbers by their own digits: none is rounded up, and one with an exponent is no quantity. */
function asWritten(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? context?.source : value
}

function readBy(fields: Fields, template: Template): Alert {
  if (template.isStrict) refuseUnknown(fields)
  const read = (name: PartName): string | undefined => {
    const path = template[name]
    return path === undefined ? undefined : textAt(fields, path)
  }
  const symbol = marketName(needed(read('symbol'), template.symbol))
  const action = actionOf(needed(read('action'), template.action), template)
  const position = read('position')
  // A strategy that is flat after its order closes. Spot has no position: there it is the order itself.
  const isFlat = position !== undefined && /^-?0+(\.0+)?$/.test(position) && symbol.endsWith(contractSuffix)
  const orderType = (read('type') ?? 'market').toLowerCase()
  if (orderType !== 'market' && orderType !== 'limit') throw invalid(template.type)
  return {
    symbol,
    orderType,
    action: isFlat ? 'close' : action,
    ...amountsOf(read, template, isFlat || action === 'close', orderType),
    ...identityOf(read, template),
  }
}

const contractSuffix = 'PERP'
type PartName = 'symbol' | 'action' | 'quantity' | 'quote' | 'type' | 'price' | 'id' | 'time' | 'position'
type Read = (name: PartName) => string | undefined

function amountsOf(read: Read, template: Template, isClose: boolean, orderType: 'market' | 'limit') {
  if (isClose) return {}
  const [quantity, quote] = [read('quantity'), read('quote')]
  if (quantity === undefined && quote === undefined) throw missing(template.quantity ?? template.quote)
  if (quantity !== undefined && quote !== undefined) throw invalid(template.quote)
  const amount = quantity === undefined ? { quote: above0(quote!, template.quote) } : { quantity: above0(quantity, template.quantity) }
  const price = read('price')
  if (orderType === 'limit') return { ...amount, price: above0(needed(price, template.price), template.price) }
  // The closing price of the chart stands in each alert; in the exchange's own format a price means a limit order.
  if (price !== undefined && template.isStrict) throw invalid(template.price)
  return amount
}

function identityOf(read: Read, template: Template) {
  const [id, time] = [read('id'), read('time')]
  if (id !== undefined && !/^[\x21-\x7e]{1,64}$/.test(id)) throw invalid(template.id)
  return { ...(id === undefined ? {} : { id }), ...(time === undefined ? {} : { at: timeOf(time, template.time) }) }
}

/** Milliseconds or seconds since 1970, or the UTC time of ISO 8601. */
function timeOf(text: string, name: string | undefined): Millis {
  if (/^[0-9]{13}$/.test(text)) return Number(text) as Millis
  if (/^[0-9]{10}$/.test(text)) return (Number(text) * 1_000) as Millis
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) throw invalid(name)
  return at as Millis
}

/** BTCUSDT is a Spot market, BTCUSDT.P and BTCUSDTPERP its Futures market. A name of an exchange before a colon is skipped. */
function marketName(text: string): string {
  const found = /^(?:[A-Z0-9_]{1,20}:)?([A-Z0-9]{2,20})(\.P)?$/.exec(text.toUpperCase())
  if (!found) throw new Refused('MARKET_UNKNOWN')
  return found[2] === undefined ? found[1]! : found[1]! + contractSuffix
}

function actionOf(text: string, template: Template): Alert['action'] {
  const word = text.toLowerCase()
  const found = (['buy', 'sell', 'close'] as const).find((action) => template[action].some((one) => one.toLowerCase() === word))
  if (found === undefined) throw invalid(template.action)
  return found
}

function above0(text: string, name: string | undefined): Decimal {
  if (!isDecimal(text) || !/^[0-9]{1,15}(\.[0-9]{1,18})?$/.test(text) || !/[1-9]/.test(text)) throw invalid(name)
  return text as Decimal
}

/** Texts and numbers at a path of own fields; undefined where a field is absent or an empty text. */
function textAt(fields: Fields, path: string): string | undefined {
  let value: unknown = fields
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return undefined
    value = (value as Fields)[name]
  }
  if (typeof value !== 'string') throw invalid(path)
  return value.trim() === '' ? undefined : value.trim()
}

function refuseUnknown(fields: Fields): void {
  const known = ['symbol', 'side', 'type', 'quantity', 'quote', 'price', 'id', 'time']
  const unknown = Object.keys(fields).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Refused('FIELD_UNKNOWN', { field: unknown.slice(0, 40) })
}

const invalid = (field = 'body'): Refused => new Refused('FIELD_INVALID', { field })
const missing = (field = 'body'): Refused => new Refused('FIELD_MISSING', { field })

function needed(text: string | undefined, name: string | undefined): string {
  if (text === undefined) throw missing(name)
  return text
}

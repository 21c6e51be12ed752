import {
  signalDefaults,
  signalMax,
  type WireSignal,
  type WireSignalTemplate,
  type WireSignalTerms,
} from '@candor/core/protocol/wire/own/signals.ts'
import { addressShape, ipsOf } from './form.ts'

/** The terms of a signal address as they are typed. */
export type SignalDraft = {
  readonly symbols: string
  readonly maxQuote: string
  readonly perMinute: string
  readonly perDay: string
  readonly maxAgeSeconds: string
  readonly ips: string
  /** `own`: the customer says where alerts have their parts. */
  readonly format: 'ours' | 'own'
  readonly symbol: string
  readonly action: string
  readonly quantity: string
  readonly id: string
  readonly time: string
  readonly buy: string
  readonly sell: string
  readonly close: string
  readonly password: string
}
export type SignalField = keyof SignalDraft

/** What a new address begins with, or the terms of one that exists. */
export function draftOf(signal: WireSignal | undefined): SignalDraft {
  const terms: WireSignalTerms = signal ?? { symbols: [], ips: [], ...signalDefaults }
  const { symbols, maxQuote, perMinute, perDay, maxAgeSeconds, ips, template } = terms
  return {
    ...{ symbols: symbols.join(', '), maxQuote, ips: ips.join(', '), format: template === undefined ? 'ours' : 'own', password: '' },
    ...{ perMinute: String(perMinute), perDay: String(perDay), maxAgeSeconds: String(maxAgeSeconds) },
    ...{ symbol: template?.symbol ?? 'ticker', action: template?.action ?? 'action', quantity: template?.quantity ?? 'quantity' },
    ...{ id: template?.id ?? '', time: template?.time ?? '' },
    ...{ buy: wordsIn(template?.buy ?? ['buy', 'long']), sell: wordsIn(template?.sell ?? ['sell', 'short']) },
    close: wordsIn(template?.close ?? ['close']),
  }
}

const wordsIn = (words: readonly string[]): string => words.join(', ')
const wordsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

const pathShape = /^[A-Za-z_][A-Za-z0-9_-]{0,39}(\.[A-Za-z_][A-Za-z0-9_-]{0,39}){0,2}$/
const symbolShape = /^[A-Z0-9]{2,20}$/

export const symbolsOf = (text: string): readonly string[] => ipsOf(text.toUpperCase())

/** The fields that can't be sent as they are. */
export function wrongFields(draft: SignalDraft): ReadonlySet<SignalField> {
  const wrong = new Set<SignalField>()
  const symbols = symbolsOf(draft.symbols)
  if (symbols.length === 0 || symbols.length > signalMax.symbols || !symbols.every((one) => symbolShape.test(one))) wrong.add('symbols')
  if (!/^(0|[1-9][0-9]{0,6})(\.[0-9]{1,6})?$/.test(draft.maxQuote) || !isWithin(Number(draft.maxQuote), signalMax.maxQuote))
    wrong.add('maxQuote')
  for (const name of ['perMinute', 'perDay', 'maxAgeSeconds'] as const)
    if (!/^[1-9][0-9]{0,3}$/.test(draft[name]) || !isWithin(Number(draft[name]), signalMax[name])) wrong.add(name)
  if (!ipsOf(draft.ips).every((ip) => addressShape.test(ip))) wrong.add('ips')
  if (draft.format === 'own') for (const name of wrongPaths(draft)) wrong.add(name)
  if (draft.password === '') wrong.add('password')
  return wrong
}

const isWithin = (value: number, max: number): boolean => value > 0 && value <= max

function wrongPaths(draft: SignalDraft): readonly SignalField[] {
  const paths = (['symbol', 'action', 'quantity'] as const).filter((name) => !pathShape.test(draft[name].trim()))
  const others = (['id', 'time'] as const).filter((name) => draft[name].trim() !== '' && !pathShape.test(draft[name].trim()))
  const hasWords = [draft.buy, draft.sell, draft.close].some((words) => wordsOf(words).length > 0)
  return [...paths, ...others, ...(hasWords ? [] : (['buy'] as const))]
}

export function termsOf(draft: SignalDraft): WireSignalTerms {
  return {
    ...{ symbols: symbolsOf(draft.symbols), maxQuote: draft.maxQuote, ips: ipsOf(draft.ips) },
    ...{ perMinute: Number(draft.perMinute), perDay: Number(draft.perDay), maxAgeSeconds: Number(draft.maxAgeSeconds) },
    ...(draft.format === 'own' ? { template: templateOf(draft) } : {}),
  }
}

function templateOf(draft: SignalDraft): WireSignalTemplate {
  const [id, time] = [draft.id.trim(), draft.time.trim()]
  return {
    ...{ symbol: draft.symbol.trim(), action: draft.action.trim(), quantity: draft.quantity.trim() },
    ...(id === '' ? {} : { id }),
    ...(time === '' ? {} : { time }),
    ...{ buy: wordsOf(draft.buy), sell: wordsOf(draft.sell), close: wordsOf(draft.close) },
  }
}

/** The message to paste into an alert of TradingView. The service puts its values in place of the words in braces. */
export const tradingViewMessage = JSON.stringify({
  ...{ ticker: '{{ticker}}', action: '{{strategy.order.action}}', contracts: '{{strategy.order.contracts}}' },
  ...{ position: '{{strategy.position_size}}', price: '{{close}}', time: '{{timenow}}' },
})

/** An alert that the terms would take, to begin a trial with. */
export function sampleOf({ symbols, template }: WireSignalTerms): string {
  const symbol = symbols[0] ?? 'BTCUSDT'
  if (template === undefined) return JSON.stringify({ symbol, side: 'buy', type: 'market', quantity: '0.001' })
  const sample: Record<string, unknown> = {}
  for (const [path, value] of [
    [template.symbol, symbol],
    [template.action, template.buy[0] ?? template.sell[0] ?? template.close[0] ?? ''],
    [template.quantity ?? 'quantity', '0.001'],
  ] as const)
    put(sample, path.split('.'), value)
  return JSON.stringify(sample)
}

function put(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) into[name] = value
  else put((into[name] ??= {}) as Record<string, unknown>, rest, value)
}

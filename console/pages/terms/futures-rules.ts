/** Why a Futures market can't be listed with these terms, in words, before anybody proposes it. */
import { parseLots } from '@candor/core/money/price.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { PerpTerms } from '@candor/core/protocol/market.ts'
import { termFields, type TermRow, type Terms } from '@candor/core/protocol/wire/changes.ts'
import { wrongPerpTerm } from '@candor/core/risk/perp-terms.ts'
import { t } from '../../app/texts.ts'
import type { Markets } from './wire.ts'

const words = t.terms.futuresRules

/** Sentences, none when the terms are right. Terms with fields that say nothing are not looked at. */
export function futuresProblems(terms: Terms, { markets, coins }: Pick<Markets, 'markets' | 'coins'>): readonly string[] {
  const symbol = String(terms['symbol'])
  const source = markets.find(({ subject, kind }) => subject === terms['index'] && kind === 'spot')
  const problems = [
    ...(/^[A-Z0-9]{4,20}$/.test(symbol) ? [] : [words.symbol]),
    ...(markets.some(({ subject }) => subject === symbol) ? [words.listed(symbol)] : []),
    ...(source?.assets[1] === 'USDT' ? [] : [words.index]),
  ]
  if (source === undefined) return problems
  const lots = (name: string): number | undefined => parseLots(String(terms[name]), source.lot as Decimal)
  const [least, most] = [lots('lotsMin'), lots('lotsMax')]
  if (least === undefined || most === undefined) problems.push(words.lots(source.lot, source.assets[0] ?? ''))
  else if (least < 1 || least > most) problems.push(words.quantities)
  const wrong = wrongPerpTerm(numbersOf(terms, coins.find((coin) => coin.symbol === 'USDT')?.scale ?? 6))
  return wrong === undefined || wrong === 'index' ? problems : [...problems, words.terms[wrong]]
}

/** The terms of Futures with sums in units, as the core has them. A sum with too many digits becomes 0, which no term may be. */
function numbersOf(terms: Terms, scale: number): PerpTerms {
  const units = (value: unknown): number => parseUnits(String(value), scale) ?? 0
  const tiers = (terms['tiers'] as readonly TermRow[]).map((row) => ({ ...row, valueMax: units(row['valueMax']) }))
  const sums = Object.entries(termFields.futures).flatMap(([name, unit]) => (unit === 'quote' ? [[name, units(terms[name])] as const] : []))
  return { ...terms, ...Object.fromEntries(sums), tiers } as unknown as PerpTerms
}

import type { Change } from '@candor/core/protocol/command/operate.ts'
import type { PresaleTerms, ReleaseStep } from '@candor/core/protocol/command/presale.ts'
import type { PresaleNumber } from '@candor/core/protocol/ids.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { PresaleView } from '@candor/core/protocol/port.ts'
import type { Terms } from '@candor/core/protocol/wire/changes.ts'
import { wrongPresaleTerm } from '@candor/core/risk/presale.ts'
import { sql } from 'kysely'
import { Refused } from '../refused.ts'
import type { OperationsDb } from './tables.ts'

type Core = Readonly<Record<string, unknown>>
type Subject = { readonly number: PresaleNumber; readonly asset: Asset }

/** Number and token of a subject such as `3:NEW`. throws  Refused FIELD_INVALID */
export function presaleOf(subject: string, assets: readonly Asset[]): Subject {
  const [, number, symbol] = /^([1-9][0-9]{0,8}):([A-Z0-9]{2,10})$/.exec(subject) ?? []
  const asset = assets.find((one) => one.symbol === symbol)
  if (number === undefined || asset === undefined) throw new Refused('FIELD_INVALID', { field: 'subject' })
  return { number: Number(number) as PresaleNumber, asset }
}

/** The terms of the core, by the names of their fields; null before a presale is opened. One that is over counts as cancelled. */
export function currentPresale(
  kind: 'presale' | 'presale-cancel',
  presales: readonly PresaleView[],
  number: PresaleNumber,
  { id, symbol }: Asset,
): Core | null {
  const found = presales.find(({ presale }) => presale === number)
  if (kind === 'presale-cancel') return { isCancelled: found === undefined || found.isEnded }
  if (found === undefined) return null
  const { price, release, pay: _pay, ...rest } = found.terms
  if (rest.token !== id) throw new Refused('FIELD_INVALID', { field: 'subject', message: `the token of the presale is not ${symbol}` })
  const { kind: word, ...schedule } = release
  return { ...rest, pricePay: price.pay, pricePer: price.per, ...schedule, release: word }
}

/** The change that a decision makes in the core; none when a presale is over. throws  Refused FIELD_INVALID with the term */
export function presaleChange(
  kind: 'presale' | 'presale-cancel',
  core: Core,
  { number, asset }: Subject,
  { terms: now, listing }: { readonly terms: Core | null; readonly listing: { readonly assets: readonly Asset[] } },
): readonly Change[] {
  if (kind === 'presale-cancel') {
    if (core['isCancelled'] !== true) throw new Refused('FIELD_INVALID', { field: 'terms.isCancelled' })
    return now?.['isCancelled'] === true ? [] : [{ type: 'presale.cancel', presale: number }]
  }
  const { pricePay, pricePer, atListingPpm, release, lockDays, steps, ...rest } = core
  const pay = listing.assets.find(({ symbol }) => symbol === 'USDT')!.id
  const terms = {
    ...rest,
    ...{ pay, price: { pay: pricePay, per: pricePer } },
    release: { atListingPpm, kind: release, lockDays, steps: steps as readonly ReleaseStep[] },
  } as unknown as PresaleTerms
  if (terms.token !== asset.id) throw new Refused('FIELD_INVALID', { field: 'terms.token' })
  const wrong = wrongPresaleTerm(terms)
  if (wrong !== undefined) throw new Refused('FIELD_INVALID', { field: `terms.${wrong}` })
  return [{ type: 'presale.set', presale: number, terms }]
}

type Found = { readonly areTexts: boolean; readonly isPaper: boolean; readonly isOver: boolean }

/**
 * Checks what terms name: texts that were prepared for this number and token, and a whitepaper or none. Both never change, so what is
 * here stays. Terms of a presale that has begun or is over can't change.
 *
 * throws  Refused FIELD_INVALID with the term, PRESALE_STATE
 */
export async function requirePrepared(db: OperationsDb, subject: string, terms: Terms, before: Terms | null, at: number): Promise<void> {
  const [number, token] = subject.split(':')
  const { rows } = await sql<Found>`
    select exists (select from presale_details where number = ${number} and token = ${token} and hash = ${terms['detailsHash']}) as "areTexts",
      ${terms['documentHash']} = '' or exists (select from presale_papers where hash = ${terms['documentHash']}) as "isPaper",
      exists (select from presales where number = ${number} and outcome is not null) as "isOver"`.execute(db)
  const { areTexts, isPaper, isOver } = rows[0]!
  if (!areTexts) throw new Refused('FIELD_INVALID', { field: 'terms.detailsHash' })
  if (!isPaper) throw new Refused('FIELD_INVALID', { field: 'terms.documentHash' })
  const hasBegun = before !== null && Number(before['startsAt']) <= at
  if (isOver || hasBegun || Number(terms['endsAt']) <= at) throw new Refused('PRESALE_STATE')
}

/** What can be explained: how each kind is named in the table, found in the journal, and looked at. */
import type { QuoteNumber, Seq, TradeId, UserId } from '@candor/core/protocol/ids.ts'
import type { ConversionExplanation, FillExplanation, WireExplanationSubject } from '@candor/core/protocol/wire/explain/explanation.ts'
import type pg from 'pg'
import type { Look, LookFault } from '../journal/looks.ts'
import { ConversionLooks } from './conversion.ts'
import { FillLooks } from './fill.ts'
import { conversionPlace, fillPlace, fillSeq } from './places.ts'

export type Explained = FillExplanation | ConversionExplanation

/** The looks of one explanation, and what comes of them. */
export type SubjectLooks = {
  readonly looks: readonly Look[]
  result(missed: ReadonlyMap<Look, LookFault>): Explained | LookFault
}

/** The last command that has to be executed again for a subject, and the looks at it. */
export type SubjectPlace = { readonly seq: Seq; readonly looks: (onFault: (cause: unknown) => void) => SubjectLooks }

export function nameOf(subject: WireExplanationSubject): string {
  return subject.kind === 'fill' ? `${subject.symbol} ${subject.tradeId} ${subject.role}` : subject.id
}

/** The subject with this name. */
export function subjectNamed(kind: WireExplanationSubject['kind'], name: string): WireExplanationSubject {
  if (kind === 'conversion') return { kind, id: name }
  const [symbol = '', tradeId = '', role] = name.split(' ')
  return { kind, symbol, tradeId, role: role === 'maker' ? 'maker' : 'taker' }
}

/** The last command that has to be executed again for a customer's own subject, found without a search; undefined when there is none. */
export async function seqOf(queries: Pick<pg.Pool, 'query'>, user: UserId, subject: WireExplanationSubject): Promise<Seq | undefined> {
  if (subject.kind === 'conversion') return (await placeOf(queries, user, subject))?.seq
  const { symbol, tradeId, role } = subject
  return fillSeq(queries, user, { symbol, trade: Number(tradeId) as TradeId, role })
}

/** Where a customer's own subject is; undefined when the tables have no such one of this customer. */
export async function placeOf(
  queries: Pick<pg.Pool, 'query'>,
  user: UserId,
  subject: WireExplanationSubject,
): Promise<SubjectPlace | undefined> {
  if (subject.kind === 'fill') {
    const { symbol, tradeId, role } = subject
    const place = await fillPlace(queries, user, { symbol, trade: Number(tradeId) as TradeId, role })
    return place && { seq: place.seq, looks: (onFault) => new FillLooks(place, onFault) }
  }
  const place = await conversionPlace(queries, user, Number(subject.id) as QuoteNumber)
  return place && { seq: place.decidedSeq ?? (place.quote as number as Seq), looks: (onFault) => new ConversionLooks(place, onFault) }
}

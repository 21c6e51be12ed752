/** What can be explained: how each kind is named in the table, found in the journal, and looked at. */
import type { OrderId, QuoteNumber, Seq, TradeId, UserId } from '@candor/core/protocol/ids.ts'
import type { ConversionExplanation, FillExplanation, WireExplanationSubject } from '@candor/core/protocol/wire/explain/explanation.ts'
import type { LiquidationExplanation, MarginLiquidationExplanation } from '@candor/core/protocol/wire/explain/liquidation.ts'
import type pg from 'pg'
import type { Look, LookFault } from '../journal/looks.ts'
import { ConversionLooks } from './conversion.ts'
import { FillLooks } from './fill.ts'
import { LiquidationLooks } from './liquidation/futures.ts'
import { MarginLiquidationLooks } from './liquidation/margin.ts'
import { hasMarginStep, hasStep, liquidationPlace, marginLiquidationPlace } from './liquidation/places.ts'
import { conversionPlace, fillPlace, fillSeq } from './places.ts'

export type Explained = FillExplanation | ConversionExplanation | LiquidationExplanation | MarginLiquidationExplanation

/** The looks of one explanation, and what comes of them. */
export type SubjectLooks = {
  readonly looks: readonly Look[]
  result(missed: ReadonlyMap<Look, LookFault>): Explained | LookFault
}

/** The last command that has to be executed again for a subject, and the looks at it. */
export type SubjectPlace = { readonly seq: Seq; readonly looks: (onFault: (cause: unknown) => void) => SubjectLooks }

/** Name of the cross account, which has no symbol. */
const crossName = 'cross'

export function nameOf(subject: WireExplanationSubject): string {
  switch (subject.kind) {
    case 'fill':
      return `${subject.symbol} ${subject.tradeId} ${subject.role}`
    case 'conversion':
      return subject.id
    case 'liquidation':
      return `${subject.positionId} ${subject.seq}`
    case 'marginLiquidation':
      return `${subject.symbol ?? crossName} ${subject.seq}`
  }
}

/** The subject with this name. */
export function subjectNamed(kind: WireExplanationSubject['kind'], name: string): WireExplanationSubject {
  const [first = '', second = '', role] = name.split(' ')
  switch (kind) {
    case 'fill':
      return { kind, symbol: first, tradeId: second, role: role === 'maker' ? 'maker' : 'taker' }
    case 'conversion':
      return { kind, id: name }
    case 'liquidation':
      return { kind, positionId: first, seq: Number(second) }
    case 'marginLiquidation':
      return { kind, ...(first === crossName ? {} : { symbol: first }), seq: Number(second) }
  }
}

/** The last command that has to be executed again for a customer's own subject, found without a search; undefined when there is none. */
export async function seqOf(queries: Pick<pg.Pool, 'query'>, user: UserId, subject: WireExplanationSubject): Promise<Seq | undefined> {
  switch (subject.kind) {
    case 'fill':
      return fillSeq(queries, user, { symbol: subject.symbol, trade: Number(subject.tradeId) as TradeId, role: subject.role })
    case 'conversion':
      return (await placeOf(queries, user, subject))?.seq
    case 'liquidation': {
      const seq = subject.seq as Seq
      return (await hasStep(queries, user, Number(subject.positionId) as OrderId, seq)) ? seq : undefined
    }
    case 'marginLiquidation': {
      const seq = subject.seq as Seq
      return (await hasMarginStep(queries, user, subject.symbol ?? '', seq)) ? seq : undefined
    }
  }
}

/** Where a customer's own subject is; undefined when the tables have no such one of this customer. */
export async function placeOf(
  queries: Pick<pg.Pool, 'query'>,
  user: UserId,
  subject: WireExplanationSubject,
): Promise<SubjectPlace | undefined> {
  switch (subject.kind) {
    case 'fill': {
      const { symbol, tradeId, role } = subject
      const place = await fillPlace(queries, user, { symbol, trade: Number(tradeId) as TradeId, role })
      return place && { seq: place.seq, looks: (onFault) => new FillLooks(place, onFault) }
    }
    case 'conversion': {
      const place = await conversionPlace(queries, user, Number(subject.id) as QuoteNumber)
      return place && { seq: place.decidedSeq ?? (place.quote as number as Seq), looks: (onFault) => new ConversionLooks(place, onFault) }
    }
    case 'liquidation': {
      const seq = subject.seq as Seq
      const place = await liquidationPlace(queries, user, Number(subject.positionId) as OrderId, seq)
      return place && { seq, looks: (onFault) => new LiquidationLooks(place, onFault) }
    }
    case 'marginLiquidation': {
      const seq = subject.seq as Seq
      const place = await marginLiquidationPlace(queries, user, subject.symbol ?? '', seq)
      return place && { seq, looks: (onFault) => new MarginLiquidationLooks(place, onFault) }
    }
  }
}

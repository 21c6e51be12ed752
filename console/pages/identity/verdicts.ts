/** A reviewer’s verdicts so far, one per field, as an immutable value. */
import { type PaperField, type PaperReason, paperReasons, sidesOf } from '@candor/core/protocol/wire/papers.ts'
import type { Fault, Review } from '../../app/wire.ts'

/** A wrong field needs a reason before the check can be sent back. */
export type Verdict = { readonly isRight: true } | { readonly isRight: false; readonly reason: PaperReason | undefined }
export type Verdicts = Readonly<Partial<Record<PaperField, Verdict>>>

/** The fields of a check in the order in which they are judged. A passport has no back. */
export function fieldsOf({ fields: { kind } }: Pick<Review, 'fields'>): readonly PaperField[] {
  const sides = sidesOf(kind ?? 'id-card')
  return ['kind', 'country', 'name', 'born', 'number', ...sides]
}

export function judged(verdicts: Verdicts, field: PaperField, isRight: boolean): Verdicts {
  const before = verdicts[field]
  if (isRight) return { ...verdicts, [field]: { isRight: true } }
  // The only reason of a field needs no choice.
  const [only, ...others] = paperReasons[field] as readonly PaperReason[]
  const reason = before?.isRight === false ? before.reason : others.length === 0 ? only : undefined
  return { ...verdicts, [field]: { isRight: false, reason } }
}

export function reasoned(verdicts: Verdicts, field: PaperField, reason: PaperReason): Verdicts {
  return { ...verdicts, [field]: { isRight: false, reason } }
}

export type Summary = {
  readonly right: number
  readonly faults: readonly Fault[]
  /** All fields are right. */
  readonly canCertify: boolean
  /** Every field is judged, at least one is wrong, and each wrong one has its reason. */
  readonly canReject: boolean
  readonly missing: 'verdict' | 'reason' | undefined
}

export function summaryOf(verdicts: Verdicts, fields: readonly PaperField[]): Summary {
  const given = fields.map((field) => ({ field, verdict: verdicts[field] }))
  const right = given.filter(({ verdict }) => verdict?.isRight === true).length
  const isOpen = given.some(({ verdict }) => verdict === undefined)
  const isUnexplained = given.some(({ verdict }) => verdict?.isRight === false && verdict.reason === undefined)
  const faults = given.flatMap(({ field, verdict }) =>
    verdict?.isRight === false && verdict.reason !== undefined ? [{ field, reason: verdict.reason }] : [],
  )
  return {
    ...{ right, faults, canCertify: right === fields.length, canReject: !isOpen && !isUnexplained && faults.length > 0 },
    missing: isUnexplained ? 'reason' : isOpen ? 'verdict' : undefined,
  }
}

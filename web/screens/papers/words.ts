import type { PaperField, PaperKind, WirePaperFault } from '@candor/core/protocol/wire/papers.ts'
import type { Key, Translate } from '../../app/translate.ts'
import type { Step } from './steps.ts'

/** Why a part was turned down, and what to do. */
export function faultText({ field, reason }: WirePaperFault, t: Translate): string {
  const group = field === 'front' || field === 'back' ? 'photo' : field
  // A later version of the exchange may know more reasons.
  return t(`papers.fault.${group}.${reason}` as Key, { defaultValue: t('papers.fault.other') })
}

/** The heading of a step. A passport has its photo page in place of a front. */
export function stepText(step: Step, kind: PaperKind | null, t: Translate): string {
  return {
    document: t('papers.document'),
    data: t('papers.data'),
    front: kind === 'passport' ? t('papers.page') : t('papers.front'),
    back: t('papers.back'),
    review: t('papers.review'),
  }[step]
}

export function fieldText(field: PaperField, kind: PaperKind | null, t: Translate): string {
  if (field === 'front' || field === 'back') return stepText(field, kind, t)
  return {
    kind: t('papers.kind'),
    country: t('papers.country'),
    name: t('papers.name'),
    born: t('papers.born'),
    number: t('papers.number'),
  }[field]
}

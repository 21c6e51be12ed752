import type { PaperKind } from '@candor/core/protocol/wire/papers.ts'
import type { Translate } from '../../app/translate.ts'
import type { DataError } from './fields.ts'

export function kindText(kind: PaperKind, t: Translate): string {
  return { 'id-card': t('papers.idCard'), passport: t('papers.passport'), 'driving-licence': t('papers.licence') }[kind]
}

export function dataErrorText(error: DataError, t: Translate): string {
  return {
    nameMissing: t('papers.nameMissing'),
    nameWrong: t('papers.nameWrong'),
    bornMissing: t('papers.bornMissing'),
    bornWrong: t('papers.bornWrong'),
    bornYoung: t('papers.bornYoung'),
    numberMissing: t('papers.numberMissing'),
    numberWrong: t('papers.numberWrong'),
  }[error]
}

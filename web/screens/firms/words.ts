import type { WireFirmRule } from '@candor/core/protocol/wire/firm/firm.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'

/** A rule as sentences, from the smallest withdrawals on. */
export function useRuleWords(): (rule: WireFirmRule) => readonly string[] {
  const { t } = useTranslation()
  const format = useFormats()
  return ({ bands, addressPeople }) => [
    ...bands.map(({ upTo, people }) =>
      upTo === null
        ? t(bands.length === 1 ? 'firm.bandEvery' : 'firm.bandAny', { count: people })
        : t('firm.bandUpTo', { count: people, sum: format.number(upTo) }),
    ),
    t('firm.addressPeople', { count: addressPeople }),
  ]
}

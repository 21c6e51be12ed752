import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { oddsPpm } from './odds.ts'
import { Facts, Section } from './section.tsx'

const bounds = ['reserves', 'debts', 'collusion', 'split', 'keys'] as const
const hiddenPpm = 10_000
const checkers = [50, 100, 200, 500] as const

/** What no check on a phone can show. */
export function Bounds() {
  const { t } = useTranslation()
  return (
    <Section title={t('verify.bounds.title')} hint={t('verify.bounds.hint')}>
      <ul className="flex flex-col gap-3 rounded-card bg-s1 p-4">
        {bounds.map((one) => (
          <li key={one} className="text-13 text-pretty text-fg2">
            <span className="block font-semibold text-fg">{t(`verify.bounds.${one}.title`)}</span>
            {t(`verify.bounds.${one}.text`)}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What it is worth that customers check their own balances. */
export function Worth() {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <Section title={t('verify.worth.title')} hint={t('verify.worth.hint', { hidden: format.percent(hiddenPpm / 10_000, 0) })}>
      <Facts>
        {checkers.map((count) => (
          <SummaryRow key={count} label={t('verify.worth.customers', { count, number: format.number(count) })}>
            {format.percent(oddsPpm(hiddenPpm, count) / 10_000, 1)}
          </SummaryRow>
        ))}
      </Facts>
      <p className="text-13 text-pretty text-fg2">{t('verify.worth.foresee')}</p>
    </Section>
  )
}

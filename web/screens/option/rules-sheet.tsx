import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import type { WireOptionTerms } from '@candor/core/protocol/wire/option.ts'
import { useFormats } from '../../app/format.ts'
import { type Translate, useTranslation } from '../../app/translate.ts'
import { durationOf } from '../../parts/option/words.ts'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { Terms } from '../../parts/help/terms-line.tsx'

/** Explains how strike, settlement, ties and gaps are decided, with the sources and the current terms. */
export function RulesSheet({
  terms,
  config,
  onClose,
}: {
  readonly terms: WireOptionTerms
  readonly config: WireConfig
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  return (
    <Sheet isOpen onClose={onClose} title={t('option.rules')}>
      <Rules terms={terms} feed={config.feed} />
      <Terms ids={['breakEven', 'strike', 'median', 'guard', 'tape', 'proof']} />
    </Sheet>
  )
}

export function Rules({ terms, feed }: { readonly terms: WireOptionTerms; readonly feed: WireConfig['feed'] | undefined }) {
  const { t, i18n } = useTranslation()
  const format = useFormats()
  const seconds = (ms: number): string => format.number(ms / 1_000, 0, 1)
  const windows = terms.rates.map((rate) => rate.windowMs)
  const [least, most] = [Math.min(...windows), Math.max(...windows)]
  return (
    <div className="flex flex-col gap-4 pb-2">
      <ol className="flex list-decimal flex-col gap-3 ps-5 text-13 text-fg2 marker:text-fg3">
        <li>{t('admission.rule.opening', { seconds: seconds(terms.strikeDelayMs) })}</li>
        <li>{t('admission.rule.settlement', { seconds: least === most ? seconds(least) : `${seconds(least)}–${seconds(most)}` })}</li>
        <li>{t('admission.rule.win')}</li>
        <li>{t('admission.rule.tie')}</li>
        <li>{t('admission.rule.gap', { seconds: seconds(terms.gapMaxMs) })}</li>
        {feed !== undefined && <li>{sourceOf(feed, t, i18n.language)}</li>}
        <li>{t('admission.rule.tape')}</li>
        <li>{t('admission.rule.operator')}</li>
      </ol>
      <table className="tn w-full text-13">
        <thead>
          <tr className="text-11 text-fg3 [&>th]:pb-1 [&>th]:font-normal">
            <th className="text-start">{t('option.duration')}</th>
            <th className="text-end">{t('option.rate')}</th>
            <th className="text-end">{t('settled.mustWin')}</th>
            <th className="text-end">{t('settled.windowShort')}</th>
          </tr>
        </thead>
        <tbody>
          {terms.rates.map((rate) => (
            <tr key={rate.seconds} className="[&>td]:py-1">
              <td>{durationOf(rate.seconds, t)}</td>
              <td className="text-end">{format.percent(rate.profit, 0)}</td>
              <td className="text-end">{format.percent(rate.breakEven, 1)}</td>
              <td className="text-end">{t('option.seconds', { n: seconds(rate.windowMs) })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function sourceOf({ mode, venues }: WireConfig['feed'], t: Translate, language: string): string {
  if (mode === 'simulated') return t('practice.pricesSimulatedHint')
  if (mode === 'replay') return t('practice.pricesReplayHint')
  const names = new Intl.ListFormat(language, { type: 'conjunction' }).format(venues.map((venue) => venue.name))
  return t('admission.rule.source', { venues: names })
}

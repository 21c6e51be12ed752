import { alertConditions, noteMax } from '@candor/core/protocol/wire/own/alerts.ts'
import { useMarkets } from '../../app/config.ts'
import { useQuote } from '../../app/quotes.ts'
import { useTranslation } from '../../app/translate.ts'
import { Field, Switch } from '../../parts/fields/field.tsx'
import { NumberField } from '../../parts/fields/number-field.tsx'
import { PlainSelect } from '../../parts/fields/plain-select.tsx'
import { Button } from '../../parts/ui/button.tsx'
import { LiveChange, Price } from '../../parts/ui/figure.tsx'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { type Fault, type Form, isChange, sourcesOf } from './form.ts'
import { useWords } from './words.ts'

type Props = {
  readonly form: Form
  /** What is shown as wrong. */
  readonly fault: Fault | undefined
  readonly onChange: (change: Partial<Form>) => void
}

/** The fields of a price alert. */
export function AlertFields(props: Props) {
  return (
    <div className="flex flex-col gap-3">
      <What {...props} />
      <How {...props} />
    </div>
  )
}

/** Market, condition and level. */
function What({ form, fault, onChange }: Props) {
  const { t } = useTranslation()
  const words = useWords()
  const markets = useMarkets()
  const quote = useQuote(form.symbol)
  const market = markets.find((one) => one.symbol === form.symbol)
  const faults = { level: t('alerts.faultLevel'), change: t('alerts.faultChange') }
  const sources = sourcesOf(market?.kind, form.condition)
  const levelName = isChange(form.condition) ? t('alerts.percent') : t('alerts.level', { coin: market?.quote ?? '' })
  return (
    <>
      <PlainSelect
        label={t('alerts.market')}
        value={form.symbol}
        choices={markets.map((one) => ({ value: one.symbol, label: words.pairOf(one.symbol) }))}
        onChange={(next) => onChange({ symbol: next })}
      />
      <dl>
        <SummaryRow label={t('alerts.now')}>
          <span className="inline-flex items-center gap-2">
            <Price symbol={form.symbol} />
            <LiveChange symbol={form.symbol} />
          </span>
        </SummaryRow>
      </dl>
      <PlainSelect
        label={t('alerts.condition')}
        value={form.condition}
        choices={alertConditions.map((value) => ({ value, label: words.conditions[value] }))}
        onChange={(condition) => onChange({ condition })}
      />
      <NumberField
        label={levelName}
        value={form.level}
        onChange={(level) => onChange({ level })}
        step={isChange(form.condition) ? '0.5' : (market?.tick ?? '0.01')}
        {...(isChange(form.condition) ? { places: 2 } : {})}
        error={fault === 'level' || fault === 'change' ? faults[fault] : undefined}
      />
      {!isChange(form.condition) && quote !== undefined && form.level === '' && (
        <Button variant="soft" size="small" className="self-start" onClick={() => onChange({ level: quote.price })}>
          {t('alerts.usePrice')}
        </Button>
      )}
      {sources.length > 1 && (
        <PlainSelect
          label={t('alerts.source')}
          value={form.source}
          choices={sources.map((value) => ({ value, label: words.sources[value] }))}
          onChange={(source) => onChange({ source })}
        />
      )}
    </>
  )
}

/** How often it is told, and a note. */
function How({ form, fault, onChange }: Props) {
  const { t } = useTranslation()
  const faults = { rearm: t('alerts.faultRearm') }
  return (
    <>
      <div className="flex min-h-12 items-center justify-between gap-3">
        <span className="min-w-0">
          <span className="block text-15">{t('alerts.repeats')}</span>
          <span className="block text-12 text-fg3">{t('alerts.repeatsHint')}</span>
        </span>
        <Switch isOn={form.repeats} onChange={(repeats) => onChange({ repeats })} label={t('alerts.repeats')} />
      </div>
      {form.repeats && (
        <NumberField
          label={t('alerts.rearm')}
          value={form.rearm}
          onChange={(rearm) => onChange({ rearm })}
          step="0.5"
          places={2}
          error={fault === 'rearm' ? faults.rearm : undefined}
        />
      )}
      <Field
        label={t('alerts.note')}
        value={form.note}
        maxLength={noteMax}
        autoComplete="off"
        onChange={(event) => onChange({ note: event.target.value })}
      />
    </>
  )
}

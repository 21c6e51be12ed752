import { useFormats } from '../../app/format.ts'
import { set, useSettings } from '../../app/settings.ts'
import { useLang } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { ChoiceRow } from '../ui/row.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { inOrder } from './unit-order.ts'
import { useRates } from './units.ts'

/** The units in which the total can be shown. */
export function UnitSheet({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  const tag = useLang((state) => state.tag)
  const chosen = useSettings((settings) => settings.totalIn)
  const rates = useRates()
  const names = new Intl.DisplayNames(tag, { type: 'currency' })
  const choose = (totalIn: string): void => {
    set({ totalIn })
    onClose()
  }
  const units = [
    { unit: 'USDT', name: 'Tether' },
    { unit: 'BTC', name: 'Bitcoin' },
    ...inOrder(rates?.perUsd.map(({ currency }) => currency) ?? []).map((unit) => ({ unit, name: names.of(unit) ?? unit })),
  ]
  return (
    <Sheet isOpen onClose={onClose} title={t('costs.unit')}>
      <div role="radiogroup" aria-label={t('costs.unit')}>
        {units.map(({ unit, name }) => (
          <ChoiceRow key={unit} title={unit} value={name} isOn={unit === chosen} onClick={() => choose(unit)} />
        ))}
      </div>
      {rates !== undefined && <RatesNote date={rates.date} />}
    </Sheet>
  )
}

/** What a sum in a currency is counted with. */
export function RatesNote({ date }: { readonly date: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  return <p className="pt-1 text-11 text-fg3">{t('costs.rates', { date: format.date(Date.parse(`${date}T12:00:00Z`)) })}</p>
}

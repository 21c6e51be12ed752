import { signalMax } from '@candor/core/protocol/wire/own/signals.ts'
import type { ReactNode } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { CopyField } from '../../parts/fields/copy-field.tsx'
import { Field } from '../../parts/fields/field.tsx'
import type { Form } from '../../parts/keys/making-sheet.tsx'
import { Segmented } from '../../parts/ui/tabs.tsx'
import { type SignalDraft, type SignalField, tradingViewMessage } from './signal-form.ts'

type FormProps = Form<SignalDraft, ReadonlySet<SignalField>>

/** The limits of a signal address, and how its alerts are written. */
export function SignalFields(form: FormProps) {
  const { t } = useTranslation()
  const whole = (name: 'perMinute' | 'perDay' | 'maxAgeSeconds') => t('signals.numberWrong', { max: signalMax[name] })
  return (
    <>
      <Text
        form={form}
        name="symbols"
        label={t('signals.markets')}
        hint={t('signals.marketsHint')}
        wrong={t('signals.marketsWrong')}
        placeholder="BTCUSDT, ETHUSDTPERP"
      />
      <Text form={form} name="maxQuote" label={t('signals.size')} wrong={t('signals.sizeWrong', { max: signalMax.maxQuote })} isNumber />
      <div className="grid grid-cols-2 gap-3">
        <Text form={form} name="perMinute" label={t('signals.perMinute')} wrong={whole('perMinute')} isNumber />
        <Text form={form} name="perDay" label={t('signals.perDay')} wrong={whole('perDay')} isNumber />
      </div>
      <Text form={form} name="maxAgeSeconds" label={t('signals.age')} hint={t('signals.ageHint')} wrong={whole('maxAgeSeconds')} isNumber />
      <Text
        form={form}
        name="ips"
        label={t('signals.ips')}
        hint={t('signals.ipsHint')}
        wrong={t('apikeys.ipsInvalid')}
        placeholder="203.0.113.7, 198.51.100.0/24"
      />
      <Format {...form} />
    </>
  )
}

function Format(form: FormProps) {
  const { t } = useTranslation()
  const { draft, onChange } = form
  return (
    <div className="flex flex-col gap-3">
      <span className="text-13 font-medium text-fg2">{t('signals.format')}</span>
      <Segmented
        label={t('signals.format')}
        choices={[
          { value: 'ours', label: 'TradingView' },
          { value: 'own', label: t('signals.formatOwn') },
        ]}
        value={draft.format}
        onChange={(format) => onChange({ format })}
      />
      {draft.format === 'ours' ? (
        <CopyField label={t('signals.message')} text={tradingViewMessage} />
      ) : (
        <>
          <p className="text-12 text-fg3">{t('signals.pathHint')}</p>
          {(
            [
              ['symbol', t('signals.fieldSymbol')],
              ['action', t('signals.fieldAction')],
              ['quantity', t('signals.fieldQuantity')],
              ['id', t('signals.fieldId')],
              ['time', t('signals.fieldTime')],
            ] as const
          ).map(([name, label]) => (
            <Text key={name} form={form} name={name} label={label} wrong={t('signals.pathWrong')} />
          ))}
          <Text form={form} name="buy" label={t('signals.wordsBuy')} wrong={t('signals.wordsMissing')} />
          <Text form={form} name="sell" label={t('signals.wordsSell')} wrong={t('signals.wordsMissing')} />
          <Text form={form} name="close" label={t('signals.wordsClose')} wrong={t('signals.wordsMissing')} />
        </>
      )}
    </div>
  )
}

type TextName = Exclude<SignalField, 'format' | 'password'>

function Text({
  form: { draft, problems, said, onChange },
  name,
  label,
  hint,
  wrong,
  isNumber = false,
  placeholder,
}: {
  readonly form: FormProps
  readonly name: TextName
  readonly label: string
  readonly hint?: string
  readonly wrong: string
  readonly isNumber?: boolean
  readonly placeholder?: string
}): ReactNode {
  return (
    <Field
      label={label}
      value={draft[name]}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      inputMode={isNumber ? 'decimal' : 'text'}
      placeholder={placeholder}
      onChange={(event) => onChange({ [name]: event.target.value })}
      hint={hint}
      error={problems?.has(name) ? wrong : said(name)}
    />
  )
}

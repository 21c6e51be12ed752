import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Keypad } from '../../parts/option/keypad.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { useNumberInput } from '../../parts/fields/use-number.ts'
import { useEffect, useId, useRef, useState } from 'react'
import { wrong } from './form.ts'
import { StakesLeft } from './stakes-left.tsx'
import type { Desk } from './use-desk.ts'

/** The stake by keypad. The input counts only after it is confirmed. */
export function StakeSheet({ desk, onClose }: { readonly desk: Desk; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const id = useId()
  const [text, setText] = useState('')
  const number = useNumberInput(text, 2, (next) => next.length <= 12 && setText(next))
  const input = useRef<HTMLInputElement>(null)
  // A sheet moves the focus to its heading when it opens. Here it moves to the field, for real keyboards.
  useEffect(() => {
    const frame = requestAnimationFrame(() => input.current?.focus())
    return () => cancelAnimationFrame(frame)
  }, [])
  const { market, context, form } = desk
  const fault = text === '' ? undefined : wrong({ ...form, stake: text }, context)
  const range = t('settled.range', {
    min: format.number(context.terms.stakeMin),
    max: format.number(context.terms.stakeMax),
    currency: market.quote,
  })
  const take = (): void => {
    if (text !== '') desk.act({ type: 'stake', text: text.replace(/\.0*$/, '') })
    onClose()
  }
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('settled.stakeIn', { currency: market.quote })}
      footer={
        <Button isWide disabled={fault !== undefined && fault !== 'INSUFFICIENT_BALANCE'} onClick={take}>
          {t('settled.useStake', { stake: `${format.number(text === '' ? form.stake || '0' : text)} ${market.quote}` })}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <div className="flex flex-col items-center gap-1">
          <label htmlFor={id} className="sr-only">
            {t('option.stake')}
          </label>
          <input
            ref={input}
            id={id}
            {...number}
            placeholder={form.stake === '' ? '0' : format.number(form.stake)}
            // On a phone the keys below replace the keyboard.
            inputMode="none"
            autoComplete="off"
            onKeyDown={(event) => event.key === 'Enter' && fault === undefined && take()}
            aria-invalid={fault === undefined ? undefined : true}
            aria-describedby={`${id}-below`}
            className="tn w-full bg-transparent text-center text-28 font-semibold outline-none"
          />
          <p
            id={`${id}-below`}
            role={fault === undefined ? undefined : 'alert'}
            className={`text-12 ${fault === undefined ? 'text-fg3' : 'text-danger'}`}
          >
            {fault === undefined ? range : t(`refusals.${fault}`)}
          </p>
        </div>
        <StakesLeft desk={desk} className="text-center" />
        <Keypad value={text} onChange={setText} places={2} label={t('settled.keypad')} />
      </div>
    </Sheet>
  )
}

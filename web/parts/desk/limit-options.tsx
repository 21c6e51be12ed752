import { SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { Check } from '../fields/field.tsx'
import { Term } from '../help/term.tsx'
import { IconButton } from '../ui/button.tsx'
import { Segmented } from '../ui/tabs.tsx'

type TimeInForce = 'GTC' | 'IOC' | 'FOK'

type Action =
  | { readonly type: 'timeInForce'; readonly timeInForce: TimeInForce }
  | { readonly type: 'postOnly'; readonly isPostOnly: boolean }

/** `display`: visible quantity, where the desk offers it. */
export type LimitForm = { readonly timeInForce: TimeInForce; readonly isPostOnly: boolean; readonly display?: string }

const termOf = { GTC: 'gtc', IOC: 'ioc', FOK: 'fok' } as const

/** A ticket has one group of options. */
const id = 'limit-options'

/** Opens and closes the options. A colour shows that one of them is set, so that a closed group hides nothing. */
export function OptionsButton({
  form,
  isOpen,
  onToggle,
}: {
  readonly form: LimitForm
  readonly isOpen: boolean
  readonly onToggle: () => void
}) {
  const { t } = useTranslation()
  const isSet = form.timeInForce !== 'GTC' || form.isPostOnly || (form.display ?? '') !== ''
  return (
    <IconButton
      label={t('trade.options')}
      aria-expanded={isOpen}
      aria-controls={isOpen ? id : undefined}
      onClick={onToggle}
      className="shrink-0 bg-s2"
    >
      <SlidersHorizontal size={16} strokeWidth={1.75} aria-hidden className={isSet ? 'text-brand' : ''} />
    </IconButton>
  )
}

/** Time in force and post-only of a limit order; `children` are further options. */
export function LimitOptions({
  form,
  act,
  children,
}: {
  readonly form: LimitForm
  readonly act: (action: Action) => void
  readonly children?: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <div id={id} className="flex flex-col gap-2">
      <Segmented
        size="small"
        label={t('trade.timeInForce')}
        value={form.timeInForce}
        onChange={(timeInForce) => act({ type: 'timeInForce', timeInForce })}
        choices={[
          { value: 'GTC', label: 'GTC' },
          { value: 'IOC', label: 'IOC' },
          { value: 'FOK', label: 'FOK' },
        ]}
      />
      <p className="text-11 text-fg3">
        <Term id={termOf[form.timeInForce]}>{t(`orders.timeInForce.${form.timeInForce}`)}</Term>
      </p>
      <Check isOn={form.isPostOnly} onChange={(isPostOnly) => act({ type: 'postOnly', isPostOnly })}>
        {t('trade.postOnly')}
      </Check>
      {children}
    </div>
  )
}

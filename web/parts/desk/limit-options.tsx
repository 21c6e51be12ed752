import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { Check } from '../fields/field.tsx'
import { Segmented } from '../ui/tabs.tsx'

type TimeInForce = 'GTC' | 'IOC' | 'FOK'

type Action =
  | { readonly type: 'timeInForce'; readonly timeInForce: TimeInForce }
  | { readonly type: 'postOnly'; readonly isPostOnly: boolean }

/** Time in force and post-only of a limit order, collapsed at first; `children` are further options. */
export function LimitOptions({
  form,
  act,
  children,
}: {
  readonly form: { readonly timeInForce: TimeInForce; readonly isPostOnly: boolean }
  readonly act: (action: Action) => void
  readonly children?: ReactNode
}) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <div className="flex flex-col gap-2">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-6 items-center gap-1 text-12 text-fg2"
      >
        {t('trade.options')}
        <ChevronDown size={14} strokeWidth={1.75} aria-hidden className={isOpen ? 'rotate-180' : ''} />
      </button>
      {isOpen && (
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
          <p className="text-11 text-fg3">{t(`orders.timeInForce.${form.timeInForce}`)}</p>
          <Check isOn={form.isPostOnly} onChange={(isPostOnly) => act({ type: 'postOnly', isPostOnly })}>
            {t('trade.postOnly')}
          </Check>
          {children}
        </div>
      )}
    </div>
  )
}

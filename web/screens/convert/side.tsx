import type { Decimal } from '@candor/core/money/brand.ts'
import { ChevronDown } from 'lucide-react'
import { type Ref, useId } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { useNumberInput } from '../../parts/fields/use-number.ts'
import { Coin } from '../../parts/funds/coin.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { Button } from '../../parts/ui/button.tsx'

/** As wide as the number, so that the word before it stands beside it. */
const aboutLook = 'text-fg2 [field-sizing:content] supports-[field-sizing:content]:w-auto'

/**
 * One half of the form: a coin, its sum and its balance. `estimate`: the sum shown while the other one was typed. Without `onAll` there
 * is no button for the whole balance.
 */
export function SideCard({
  label,
  asset,
  scale,
  amount,
  estimate,
  available,
  error,
  inputRef,
  onAmount,
  onCoin,
  onAll,
}: {
  readonly label: string
  readonly asset: string
  readonly scale: number
  /** The typed text; undefined on the side that follows. */
  readonly amount: string | undefined
  readonly estimate: Decimal | undefined
  /** Undefined for visitors, and until it is known. */
  readonly available: Decimal | undefined
  readonly error: string | undefined
  readonly inputRef?: Ref<HTMLInputElement>
  readonly onAmount: (text: string) => void
  readonly onCoin: () => void
  readonly onAll?: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const id = useId()
  const shown = amount ?? estimate ?? ''
  const number = useNumberInput(shown, scale, onAmount)
  const isAbout = amount === undefined && estimate !== undefined
  const below = [isAbout ? `${id}-about` : undefined, error === undefined ? undefined : `${id}-error`].filter((one) => one !== undefined)
  return (
    <div
      className={`flex flex-col gap-1 rounded-card border bg-s1 px-4 pt-3 pb-3.5 focus-within:border-brand ${error === undefined ? 'border-line' : 'border-danger'}`}
    >
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-3">
        <label htmlFor={id} className="text-13 font-medium text-fg2">
          {label}
        </label>
        {available !== undefined && <Available asset={asset} available={available} onAll={onAll} />}
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <CoinButton label={label} asset={asset} onClick={onCoin} />
        <span className="flex min-w-[9rem] flex-1 items-baseline justify-end gap-1.5">
          {isAbout && (
            <span id={`${id}-about`} className="shrink-0 text-12 text-fg3">
              {t('convert.about')}
            </span>
          )}
          <input
            ref={inputRef}
            id={id}
            {...number}
            placeholder={format.typing('0')}
            inputMode="decimal"
            autoComplete="off"
            aria-invalid={error === undefined ? undefined : true}
            aria-describedby={below.length === 0 ? undefined : below.join(' ')}
            className={`tn h-11 w-full min-w-0 bg-transparent text-end font-semibold outline-none placeholder:text-fg3 ${sizeOf(number.value)} ${isAbout ? aboutLook : ''}`}
          />
        </span>
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="pt-1 text-end text-12 text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

/** Long numbers are smaller, so that all their digits are seen. */
function sizeOf(text: string): string {
  return text.length <= 9 ? 'text-22' : text.length <= 12 ? 'text-17' : 'text-15'
}

function Available({
  asset,
  available,
  onAll,
}: {
  readonly asset: string
  readonly available: Decimal
  readonly onAll: (() => void) | undefined
}) {
  const { t } = useTranslation()
  return (
    <span className="ms-auto flex flex-wrap items-center justify-end gap-x-2 text-12 text-fg3">
      {t('convert.available')} <Amount value={available} asset={asset} isBare className="text-fg2" />
      {onAll !== undefined && (
        <Button variant="ghost" size="small" className="-me-3" disabled={Number(available) <= 0} onClick={onAll}>
          {t('convert.all')}
        </Button>
      )}
    </span>
  )
}

function CoinButton({ label, asset, onClick }: { readonly label: string; readonly asset: string; readonly onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={t('convert.coinOf', { side: label, coin: asset })}
      onClick={onClick}
      className="press flex min-h-11 items-center gap-2 rounded-control bg-s2 ps-2.5 pe-2 text-15 font-semibold"
    >
      <Coin asset={asset} size={24} />
      {asset}
      <ChevronDown size={16} strokeWidth={1.75} aria-hidden className="text-fg2" />
    </button>
  )
}

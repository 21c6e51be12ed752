import { ChevronDown } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from '../../app/translate.ts'
import type { OrderKind } from './form.ts'
import { type LimitForm, OptionsButton } from './limit-options.tsx'

/** The kind of the order, which opens the list of kinds, and for a limit order the button of its options. */
export const KindRow = memo(function KindRow({
  form,
  onKind,
  hasOptions,
  onOptions,
}: {
  readonly form: LimitForm & { readonly kind: OrderKind }
  readonly onKind: () => void
  readonly hasOptions: boolean
  readonly onOptions: (hasOptions: boolean) => void
}) {
  return (
    <div className="flex gap-2">
      <KindButton kind={form.kind} onClick={onKind} />
      {form.kind === 'limit' && <OptionsButton form={form} isOpen={hasOptions} onToggle={() => onOptions(!hasOptions)} />}
    </div>
  )
})

function KindButton({ kind, onClick }: { readonly kind: OrderKind; readonly onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onClick}
      className="press flex min-h-11 min-w-0 flex-1 items-center justify-between rounded-control bg-s2 px-3.5 text-15"
    >
      <span className="size-4" aria-hidden />
      {t(`trade.kind.${kind}`)}
      <ChevronDown size={16} strokeWidth={1.75} aria-hidden className="text-fg2" />
    </button>
  )
}

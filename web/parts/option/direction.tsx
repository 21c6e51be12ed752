import type { Direction } from '@candor/core/protocol/command/option.ts'
import { useTranslation } from '../../app/translate.ts'
import { Triangle } from '../ui/figure.tsx'

/** Buy Up or Buy Down: a triangle, a word and a colour. */
export function DirectionTag({ direction, className = '' }: { readonly direction: Direction; readonly className?: string }) {
  const { t } = useTranslation()
  const isUp = direction === 'up'
  return (
    <span className={`inline-flex items-center gap-1 font-medium whitespace-nowrap ${isUp ? 'text-up' : 'text-down'} ${className}`}>
      <Triangle direction={isUp ? 1 : -1} />
      {isUp ? t('option.side.up') : t('option.side.down')}
    </span>
  )
}

import { useTranslation } from '../../../app/translate.ts'
import { Button } from '../../ui/button.tsx'
import type { Pending } from './drawings.ts'

type Props = {
  readonly pending: Pending
  readonly onStop: () => void
  /** With a cross that is moved by finger: sets the point where it is. Undefined while it is at the point that was set. */
  readonly cross?: { readonly onSet: (() => void) | undefined }
}

/** Says which point of a drawing the next tap or button sets, with a way to give it up. */
export function DrawHint({ pending: { point }, onStop, cross }: Props) {
  const { t } = useTranslation()
  const byTap = point === 1 ? t('chart.hint.first') : t('chart.hint.next', { point })
  return (
    <div
      // A cross is in the pane of the candles, which is above the others.
      style={
        cross === undefined ? { top: 24, left: '50%', transform: 'translateX(-50%)' } : { bottom: 32, left: 6, right: 6, maxWidth: 384 }
      }
      className="absolute z-20 flex items-center gap-2 rounded-control bg-s3 ps-3 text-12"
    >
      <p role="status" className="flex-1">
        {cross === undefined ? byTap : t('chart.hint.move', { point })}
      </p>
      {cross !== undefined && (
        <Button size="small" className="min-h-11" disabled={cross.onSet === undefined} onClick={cross.onSet}>
          {t('chart.hint.set')}
        </Button>
      )}
      <Button variant="ghost" size="small" className="min-h-11" onClick={onStop}>
        {t('common.cancel')}
      </Button>
    </div>
  )
}

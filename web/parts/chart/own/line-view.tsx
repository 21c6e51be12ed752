import type { Decimal } from '@candor/core/money/brand.ts'
import { GripVertical, X } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from 'react'
import { useFormats } from '../../../app/format.ts'
import { useTranslation } from '../../../app/translate.ts'
import type { Frame } from '../frame.ts'
import type { OwnLine, Tone } from './line.ts'
import type { Move } from './move.ts'
import type { Moving } from './use-move.ts'

const tones: Readonly<Record<Tone, { readonly outline: string; readonly filled: string; readonly line: string; readonly name: string }>> = {
  brand: { outline: 'border-brand', filled: 'bg-brand text-onbrand', line: 'border-brand', name: 'text-brand' },
  up: { outline: 'border-up', filled: 'bg-up text-onup', line: 'border-up', name: 'text-up' },
  down: { outline: 'border-down', filled: 'bg-down text-ondown', line: 'border-down', name: 'text-down' },
  warn: { outline: 'border-warn', filled: 'bg-warn text-bg', line: 'border-warn', name: 'text-warn' },
  plain: { outline: 'border-fg3', filled: 'bg-fg2 text-bg', line: 'border-fg3', name: 'text-fg2' },
}

const across = { left: 0, width: 'var(--plot)' }
/** The area of a handle, as far as its neighbours leave room. */
const reach = { position: 'absolute', left: 0, right: 0, top: 'calc(-1 * var(--above))', bottom: 'calc(-1 * var(--below))' } as const

/** A pointer that moves less than this many pixels only gives the focus. */
const slipMax = 3

type Props = {
  readonly line: OwnLine
  readonly tick: Decimal
  readonly frame: RefObject<Frame | undefined>
  readonly moving: Moving
  /** While this line is moved, and to which price. */
  readonly move: Move | undefined
  readonly price: Decimal | undefined
}

/** One line with its label at the left and its price at the axis. */
export function LineView({ line, tick, frame, moving, move, price = line.price }: Props) {
  const { t } = useTranslation()
  const format = useFormats()
  const tone = tones[line.tone]
  const isMoved = move !== undefined
  const isWide = (frame.current?.width ?? 0) > 448
  const drag = useDrag({ line, tick, frame, moving })
  const grip = line.move === undefined ? {} : { ...drag, onKeyDown: (event: KeyboardEvent) => onKey(event, line, moving) }
  const handle = line.move === undefined ? '' : 'pointer-events-auto touch-none'
  return (
    <div data-price={price} data-old={isMoved ? line.price : undefined} data-held={isMoved ? '' : undefined}>
      {isMoved && <div style={{ ...across, top: 'var(--old)', opacity: 0.35 }} className={`absolute border-t ${tone.line}`} />}
      <div
        style={{ ...across, top: 'var(--y)', opacity: isMoved ? 1 : 0.75 }}
        className={`absolute border-t ${line.isDashed ? 'border-dashed' : ''} ${tone.line}`}
      />
      <div
        style={{ top: 'calc(var(--label) - 11px)', left: 6, height: 22, maxWidth: 'calc(var(--plot) - 12px)' }}
        className={`absolute flex items-stretch rounded-chip border text-11 ${tone.outline} ${isMoved ? `z-20 ${tone.filled}` : 'z-10 bg-s1'}`}
      >
        <div
          {...(line.move !== undefined && {
            role: 'slider',
            tabIndex: 0,
            'aria-orientation': 'vertical',
            'aria-label': [line.name, [line.quantity, line.unit].filter(Boolean).join(' ')].filter(Boolean).join(', '),
            'aria-valuenow': Number(price),
            'aria-valuetext': format.exact(price),
            'aria-description': t('chart.own.keys'),
          })}
          {...grip}
          className={`relative flex min-w-0 items-center gap-1.5 rounded-chip px-1.5 whitespace-nowrap ${handle}`}
        >
          {line.move !== undefined && <span style={reach} />}
          {line.move !== undefined && <GripVertical size={12} strokeWidth={2} aria-hidden className="-ms-1 shrink-0" />}
          <span className={`shrink-0 font-medium ${isMoved ? '' : tone.name}`}>{line.name}</span>
          {line.quantity !== undefined && (
            <span className={`tn truncate ${isMoved ? '' : 'text-fg2'}`}>
              {line.quantity}
              {line.unit !== undefined && isWide && ` ${line.unit}`}
            </span>
          )}
          {line.result !== undefined && !isMoved && <span className="tn shrink-0 text-fg2">{line.result}</span>}
        </div>
        {line.remove !== undefined && !isMoved && (
          <button
            type="button"
            aria-label={line.remove.label}
            onClick={line.remove.run}
            className={`pointer-events-auto relative flex w-6 shrink-0 items-center justify-center border-s text-fg2 ${tone.outline}`}
          >
            <span style={reach} />
            <X size={12} strokeWidth={2} aria-hidden />
          </button>
        )}
      </div>
      <div
        {...(line.move === undefined ? {} : drag)}
        aria-hidden
        style={{ top: 'calc(var(--tag) - 9px)', left: 'var(--plot)', height: 18, width: 'var(--axis)', fontSize: 10 }}
        className={`tn absolute flex items-center justify-center rounded-chip border font-medium ${tone.outline} ${isMoved ? `z-20 ${tone.filled}` : `z-10 bg-bg ${tone.name}`} ${handle}`}
      >
        {format.exact(price)}
      </div>
    </div>
  )
}

/** Pointer events that move the line. The pointer is captured, so it may leave the label. */
function useDrag({ line, tick, frame, moving }: Pick<Props, 'line' | 'tick' | 'frame' | 'moving'>) {
  const grabbed = useRef<{ readonly y: number; readonly offset: number; isHeld: boolean }>(undefined)
  const end = (finish: () => void): void => {
    const wasHeld = grabbed.current?.isHeld === true
    grabbed.current = undefined
    if (wasHeld) finish()
  }
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || frame.current === undefined) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const at = moving.move?.id === line.id ? moving.price : undefined
      grabbed.current = { y: event.clientY, offset: frame.current.yOf(Number(at ?? line.price)) - event.clientY, isHeld: false }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const grab = grabbed.current
      if (grab === undefined || frame.current === undefined) return
      if (!grab.isHeld) {
        if (Math.abs(event.clientY - grab.y) <= slipMax) return
        if (!moving.hold(line)) {
          grabbed.current = undefined
          return
        }
        grab.isHeld = true
      }
      const y = Math.min(frame.current.height, Math.max(0, event.clientY + grab.offset))
      moving.to(frame.current.priceAt(y) / Number(tick))
    },
    onPointerUp: () => end(moving.release),
    onPointerCancel: () => end(moving.cancel),
    onContextMenu: (event: { preventDefault(): void }) => event.preventDefault(),
  }
}

function onKey(event: KeyboardEvent, line: OwnLine, moving: Moving): void {
  const large = event.shiftKey ? 10 : 1
  const steps: Readonly<Record<string, number>> = { ArrowUp: large, ArrowDown: -large, PageUp: 10, PageDown: -10 }
  const step = steps[event.key]
  if (step !== undefined) moving.step(line, step)
  else if (event.key === 'Enter') moving.confirm()
  else return
  event.preventDefault()
}

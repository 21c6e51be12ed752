import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { PriceChart } from '../chart.ts'
import type { Frame } from '../frame.ts'
import { apart } from './apart.ts'
import { ConfirmMove, MoveTip } from './confirm-move.tsx'
import type { OwnLine } from './line.ts'
import { LineView } from './line-view.tsx'
import { useMove } from './use-move.ts'

const labelHeight = 22
const tagHeight = 18
/** Room between two labels, and beside the edges of the plot. */
const room = 2
/** A handle is this high where its neighbours leave the room. */
const handleHeight = 44

type Props = {
  readonly lines: readonly OwnLine[]
  readonly market: WireMarket
  readonly chart: RefObject<PriceChart | undefined>
  /** Number of the chart: a new chart has another frame. */
  readonly version: number
}

/** The user's own lines above the plot. Their places follow the chart frame by frame, without a render. */
export function LineLayer({ lines, market, chart, version }: Props) {
  const layer = useRef<HTMLDivElement>(null)
  const frame = useRef<Frame>(undefined)
  const moving = useMove(lines, market)
  const { move, price } = moving
  const moved = move === undefined ? undefined : lines.find((line) => line.id === move.id)
  const place = (): void => {
    if (layer.current !== null && frame.current !== undefined) placeAll(layer.current, frame.current)
  }
  const latest = useRef(place)
  latest.current = place

  useEffect(
    () =>
      chart.current?.onFrame((next) => {
        frame.current = next
        latest.current()
      }),
    [chart, version],
  )
  useLayoutEffect(place)
  useEffect(() => {
    if (move === undefined) return
    // In the capture phase, so that a full screen around the chart stays open.
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      event.preventDefault()
      moving.cancel()
    }
    addEventListener('keydown', escape, { capture: true })
    return () => removeEventListener('keydown', escape, { capture: true })
  })

  return (
    <div ref={layer} className="pointer-events-none absolute inset-x-0 top-0 z-10 overflow-hidden select-none">
      {lines.map((line) => (
        <LineView
          key={line.id}
          line={line}
          tick={market.tick}
          frame={frame}
          moving={moving}
          move={move?.id === line.id ? move : undefined}
          price={move?.id === line.id ? price : undefined}
        />
      ))}
      {moved?.move !== undefined && price !== undefined && move?.stage === 'held' && <MoveTip line={moved} price={price} />}
      {moved?.move !== undefined && price !== undefined && (move?.stage === 'asked' || move?.stage === 'sending') && (
        <ConfirmMove line={moved} price={price} isSending={move.stage === 'sending'} moving={moving} />
      )}
    </div>
  )
}

/** Moves lines, labels and tags to the prices that they carry, apart from each other, and hides those out of sight. */
function placeAll(layer: HTMLElement, frame: Frame): void {
  const { width, height, axisWidth, lastY } = frame
  layer.style.height = `${height}px`
  layer.style.setProperty('--plot', `${width}px`)
  layer.style.setProperty('--axis', `${axisWidth}px`)
  const all = [...layer.querySelectorAll<HTMLElement>('[data-price]')]
  const places = all.map((element) => frame.yOf(Number(element.dataset.price)))
  const isInSight = (y: number): boolean => y >= 0 && y <= height
  all.forEach((element, at) => (element.hidden = !isInSight(places[at] ?? -1)))
  const shown = all.flatMap((element, at) => {
    const y = places[at] ?? -1
    return isInSight(y) ? [{ element, y }] : []
  })
  const ys = shown.map(({ y }) => y)
  const labels = apart(ys, labelHeight + room, { from: labelHeight / 2 + room, to: height - labelHeight / 2 - room })
  const fixed = lastY === undefined || !isInSight(lastY) ? undefined : lastY
  const tags = apart(ys, tagHeight, { from: tagHeight / 2, to: height - tagHeight / 2 }, fixed)
  const sorted = labels.toSorted((a, b) => a - b)
  for (const [at, { element, y }] of shown.entries()) {
    const label = labels[at] ?? y
    const index = sorted.indexOf(label)
    const reach = (neighbour: number | undefined): number =>
      Math.min((handleHeight - labelHeight) / 2, neighbour === undefined ? Infinity : (Math.abs(neighbour - label) - labelHeight) / 2)
    const set = (name: string, value: number): void => element.style.setProperty(name, `${Math.round(value)}px`)
    set('--y', y)
    set('--label', label)
    set('--tag', tags[at] ?? y)
    set('--above', reach(sorted[index - 1]))
    set('--below', reach(sorted[index + 1]))
    set('--old', frame.yOf(Number(element.dataset.old ?? element.dataset.price)))
  }
  const held = layer.querySelector<HTMLElement>('[data-held]')
  const heldY = held === null ? undefined : frame.yOf(Number(held.dataset.price))
  layer.style.setProperty('--held', `${Math.round(Math.min(height, Math.max(0, heldY ?? 0)))}px`)
  const isLower = heldY !== undefined && heldY > height / 2
  layer.style.setProperty('--tip', isLower ? 'calc(var(--held) - 76px)' : 'calc(var(--held) + 30px)')
  layer.style.setProperty('--ask-top', isLower ? '6px' : 'auto')
  layer.style.setProperty('--ask-bottom', isLower ? 'auto' : '6px')
}

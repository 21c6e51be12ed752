/** Drawings of the user on one chart, kept with its market. */
import type { Chart, OverlayEvent } from 'klinecharts'
import type { Drawing, Keeping } from '../kept.ts'

const group = 'drawing'

/** A drawing in progress: which of its points the next tap sets, from 1 on. */
export type Pending = { readonly point: number }

/** Of two clicks within half a second, the library drops the second one, however far away it is. */
const twiceMs = 520

export class Drawings {
  readonly #chart: Chart
  readonly #keeping: Keeping
  #undo: string[] = []
  #pending: string | undefined
  /** When the last point was set by `set`. */
  #setAt = -Infinity

  constructor(chart: Chart, keeping: Keeping) {
    this.#chart = chart
    this.#keeping = keeping
    for (const drawing of keeping.layout().drawings) this.#restore(drawing)
  }

  /** Starts a drawing: the next taps set its points. `onStep` is called before each of them, and without one at the end. */
  draw(name: string, isMagnetic: boolean, onStep: (pending: Pending | undefined) => void): void {
    this.stop()
    const end = (): void => {
      this.#pending = undefined
      onStep(undefined)
    }
    const id = this.#chart.createOverlay({
      name,
      groupId: group,
      mode: isMagnetic ? 'weak_magnet' : 'normal',
      onDrawing: ({ overlay }: OverlayEvent<unknown>) =>
        // A tap is told before it counts as a step.
        queueMicrotask(() => this.#pending === id && overlay.currentStep > 0 && onStep({ point: overlay.currentStep })),
      onDrawEnd: () => {
        end()
        this.#save()
      },
      onPressedMoveEnd: () => this.#save(),
      onRemoved: () => {
        if (this.#pending === id) end()
        this.#save()
      },
    })
    if (typeof id !== 'string') return
    this.#undo.push(id)
    this.#pending = id
    onStep({ point: 1 })
  }

  /** Moves the crosshair, and with it the next point of the drawing in progress. */
  aim(x: number, y: number): void {
    this.#point('mouseenter', x, y)
    this.#point('mousemove', x, y)
  }

  /** Sets the next point of the drawing in progress, a moment later if the last one was set just before. */
  set(x: number, y: number): void {
    const waitMs = this.#setAt + twiceMs - performance.now()
    if (waitMs > 0) {
      setTimeout(() => this.#pending !== undefined && this.set(x, y), waitMs)
      return
    }
    this.#setAt = performance.now()
    for (const type of ['mousedown', 'mouseup'] as const) this.#point(type, x, y)
  }

  /** The library knows fingers and mice only, so a cross that is moved otherwise is a mouse to it. */
  #point(type: string, x: number, y: number): void {
    const target = this.#chart.getDom()
    const { left, top } = target?.getBoundingClientRect() ?? { left: 0, top: 0 }
    target?.dispatchEvent(new MouseEvent(type, { clientX: left + x, clientY: top + y, bubbles: type !== 'mouseenter' }))
  }

  /** Gives up the drawing in progress. */
  stop(): void {
    if (this.#pending !== undefined) this.#remove(this.#pending)
  }

  /** Removes the newest drawing. */
  undo(): void {
    const id = this.#undo.at(-1)
    if (id !== undefined) this.#remove(id)
  }

  clear(): void {
    this.#chart.removeOverlay({ groupId: group })
    this.#undo = []
    this.#save()
  }

  #remove(id: string): void {
    this.#undo = this.#undo.filter((one) => one !== id)
    this.#chart.removeOverlay({ id })
    this.#save()
  }

  #restore(drawing: Drawing): void {
    const id = this.#chart.createOverlay({
      name: drawing.name,
      groupId: group,
      points: drawing.points.map((point) => ({ ...point })),
      onPressedMoveEnd: () => this.#save(),
      onRemoved: () => this.#save(),
    })
    if (typeof id === 'string') this.#undo.push(id)
  }

  #save(): void {
    const drawings = this.#chart
      .getOverlays({ groupId: group })
      .filter(({ id }) => id !== this.#pending)
      .map(({ name, points }) => ({
        name,
        points: points.flatMap(({ timestamp, value }) => (timestamp === undefined || value === undefined ? [] : [{ timestamp, value }])),
      }))
      .filter((drawing) => drawing.points.length > 0)
    this.#keeping.setLayout({ drawings })
  }
}

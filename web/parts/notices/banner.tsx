/** Shows notices at the top, over sheets too: one at a time, without taking the focus. Loaded with the first notice. */
import { type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { create } from 'zustand'
import { onPersonChange } from '../../app/session.ts'
import { useLang } from '../../app/texts.ts'
import { ToastContent } from '../ui/toast.tsx'
import { added, closed, type Notice, passed, type Queue, type Queued, readingMs } from './queue.ts'

const useQueue = create<{ readonly queue: Queue }>(() => ({ queue: [] }))
let nextId = 1
let isMounted = false

// Whoever logs in next must not read the notices of the person before. Notices are not translated; lists tell them in any language.
const clear = (): void => useQueue.setState({ queue: [] })
onPersonChange(clear)
useLang.subscribe((now, before) => now.locale !== before.locale && clear())

const close = (id: number): void => useQueue.setState(({ queue }) => ({ queue: closed(queue, id) }))

/** Shows a notice when its turn comes. Returns a function that closes it. */
export function announce(notice: Notice): () => void {
  mount()
  const id = nextId++
  useQueue.setState(({ queue }) => ({ queue: added(queue, notice, id) }))
  return () => close(id)
}

/** A root of its own, so that the frame of all screens carries nothing of it until then. */
function mount(): void {
  if (isMounted) return
  isMounted = true
  const host = document.createElement('div')
  document.body.append(host)
  createRoot(host).render(<Banner />)
}

/** The lower edge of the strips above the screen, which stay readable. */
function topOf(): number {
  return Math.max(0, document.querySelector('main')?.getBoundingClientRect().top ?? 0, stickyBottom())
}

function stickyBottom(): number {
  const strip = document.querySelector('main')?.parentElement?.querySelector(':scope > .sticky')
  return strip?.getBoundingClientRect().bottom ?? 0
}

function Banner() {
  const shown = useQueue(({ queue }) => queue[0])
  const ref = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const isShown = shown !== undefined
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null || typeof element.showPopover !== 'function') return
    if (element.matches(':popover-open')) element.hidePopover()
    setTop(topOf())
    if (isShown) element.showPopover()
  }, [isShown, shown?.id])
  return (
    <div
      ref={ref}
      popover="manual"
      role="status"
      aria-live="polite"
      data-notice=""
      style={{ top, bottom: 'auto', paddingTop: 'max(8px, env(safe-area-inset-top))' }}
      className="toasts"
    >
      {shown !== undefined && <Card key={shown.id} shown={shown} />}
    </div>
  )
}

/** Pixels of a swipe up that close a notice. */
const swipePx = 24

function Card({ shown: { id, told } }: { readonly shown: Queued }) {
  const [isHeld, setIsHeld] = useState(false)
  const from = useRef<number>(undefined)
  const [moved, setMoved] = useState(0)
  const isHidden = useIsHidden()
  // Waits while it is touched or has the focus, and while nobody can see it.
  const isPaused = isHeld || isHidden
  useEffect(() => {
    if (isPaused) return
    const timer = setInterval(() => useQueue.setState(({ queue }) => ({ queue: passed(queue) })), readingMs({ ...told }))
    return () => clearInterval(timer)
  }, [isPaused, told])
  const move = ({ clientY }: PointerEvent): void => {
    if (from.current !== undefined) setMoved(Math.min(0, clientY - from.current))
  }
  const release = (): void => {
    from.current = undefined
    setIsHeld(false)
    setMoved(0)
    if (moved < -swipePx) close(id)
  }
  return (
    <div
      className="toast flex touch-none flex-wrap items-center gap-3 rounded-control border border-line bg-s3 px-3.5 py-2.5 text-fg [&_p]:line-clamp-3"
      style={moved === 0 ? undefined : { transform: `translateY(${moved}px)` }}
      onPointerEnter={({ pointerType }) => setIsHeld(pointerType === 'mouse')}
      onPointerLeave={release}
      onPointerDown={({ clientY }) => {
        from.current = clientY
        setIsHeld(true)
      }}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <ToastContent told={told} onClose={() => close(id)} />
      {told.undo !== undefined && (
        <span className="flex w-full justify-end">
          <button
            type="button"
            className="min-h-8 px-1 text-13 font-semibold text-brand"
            onClick={() => {
              close(id)
              told.undo?.run()
            }}
          >
            {told.undo.text}
          </button>
        </span>
      )}
    </div>
  )
}

function useIsHidden(): boolean {
  const [isHidden, setIsHidden] = useState(() => document.hidden)
  useEffect(() => {
    const look = (): void => setIsHidden(document.hidden)
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isHidden
}

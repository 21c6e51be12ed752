import { RefreshCw } from 'lucide-react'
import { useRef, useState, type ReactNode, type TouchEvent } from 'react'
import { tick } from '../../app/haptics.ts'

const trigger = 64

/** Pull to refresh around a screen's content. `onRefresh` resolves when the new data is loaded. */
export function Pull({ onRefresh, children }: { readonly onRefresh: () => Promise<unknown>; readonly children: ReactNode }) {
  const start = useRef<number>(undefined)
  const [by, setBy] = useState(0)
  const [isBusy, setIsBusy] = useState(false)

  const move = (event: TouchEvent): void => {
    if (start.current === undefined || isBusy) return
    const distance = ((event.touches[0]?.clientY ?? 0) - start.current) * 0.5
    if (distance > trigger && by <= trigger) tick()
    setBy(distance > 6 && scrollY <= 0 ? Math.min(distance, trigger * 1.4) : 0)
  }
  const end = (): void => {
    start.current = undefined
    if (by > trigger && !isBusy) {
      setIsBusy(true)
      setBy(44)
      void onRefresh()
        .catch(() => undefined)
        .finally(() => {
          setIsBusy(false)
          setBy(0)
        })
    } else if (!isBusy) setBy(0)
  }
  return (
    <div
      className="flex flex-1 flex-col"
      onTouchStart={(event) => {
        start.current = scrollY <= 0 ? event.touches[0]?.clientY : undefined
      }}
      onTouchMove={move}
      onTouchEnd={end}
      onTouchCancel={end}
    >
      {by > 0 && (
        <div aria-hidden className="flex items-end justify-center overflow-hidden text-fg3" style={{ height: by }}>
          <RefreshCw
            size={20}
            strokeWidth={1.75}
            className="mb-3"
            style={{ transform: `rotate(${by * 4}deg)`, opacity: Math.min(1, by / trigger) }}
          />
        </div>
      )}
      {children}
    </div>
  )
}

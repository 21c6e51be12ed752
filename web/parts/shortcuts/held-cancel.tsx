import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { HoldRing, holdMs } from '../ui/hold-button.tsx'
import { toast } from '../ui/toast.tsx'
import { handlerOf } from './registry.ts'

/** How many orders are cancelled when the key was held long enough. */
type Held = { readonly count: number }

/** *Cancel all* by a key: it acts after 600 ms. A key that is released earlier cancels nothing and says how it works. */
export function useHeldCancel(): { readonly state: Held | undefined; readonly begin: (code: string) => void } {
  const { t } = useTranslation()
  const [state, setState] = useState<Held>()
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])
  const begin = (code: string): void => {
    stop.current?.()
    const count = handlerOf('cancelAll')?.count ?? 0
    if (count === 0) return void toast({ text: t('orders.noneOpen') })
    const end = (): void => {
      clearTimeout(timer)
      removeEventListener('keyup', released)
      removeEventListener('blur', end)
      setState(undefined)
    }
    const released = (event: KeyboardEvent): void => {
      if (event.code !== code && event.key !== 'Shift') return
      end()
      toast({ text: t('shortcuts.holdLonger') })
    }
    const timer = setTimeout(() => {
      end()
      handlerOf('cancelAll')?.send()
    }, holdMs)
    addEventListener('keyup', released)
    // A page that goes out of sight can't see the release.
    addEventListener('blur', end)
    stop.current = end
    setState({ count })
  }
  return { state, begin }
}

/** The progress of the held key, above the page. */
export function Holding({ state }: { readonly state: Held | undefined }) {
  const { t } = useTranslation()
  const [isFilling, setFilling] = useState(false)
  const isHeld = state !== undefined
  useEffect(() => {
    if (!isHeld) return
    // The ring fills from empty, so it is drawn empty once.
    const frame = requestAnimationFrame(() => setFilling(true))
    return () => {
      cancelAnimationFrame(frame)
      setFilling(false)
    }
  }, [isHeld])
  return (
    <div role="status" className="fixed inset-x-0 z-20 flex justify-center" style={{ bottom: '15vh', pointerEvents: 'none' }}>
      {state !== undefined && (
        <p className="flex items-center gap-2 rounded-control bg-s3 p-3 text-15 font-medium text-danger">
          <HoldRing isFilling={isFilling} />
          {t('shortcuts.holding', { count: state.count })}
        </p>
      )}
    </div>
  )
}

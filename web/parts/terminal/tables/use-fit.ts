import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * How many columns have to fall away for the table to fit into its box, and the width of the box. Texts differ by language, so the
 * table is measured: one column falls after the other, before anything is painted. `key`: what else the width depends on.
 */
export function useFit(
  box: RefObject<HTMLDivElement | null>,
  max: number,
  key: string,
): { readonly width: number | undefined; readonly dropped: number } {
  const [width, setWidth] = useState<number>()
  const [state, setState] = useState({ key: '', dropped: 0 })
  const now = `${width ?? ''} ${key}`
  const dropped = state.key === now ? state.dropped : 0
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = (): void => setWidth(element.clientWidth)
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => watch.disconnect()
  }, [box])
  useLayoutEffect(() => {
    const element = box.current
    const table = element?.querySelector('table')
    if (element === null || table == null || dropped >= max) return
    if (table.offsetWidth > element.clientWidth) setState({ key: now, dropped: dropped + 1 })
  })
  return { width, dropped }
}

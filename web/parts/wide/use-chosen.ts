import { useState } from 'react'
import { navigate, usePlace } from '../../app/location.ts'
import { useIsWide } from '../../app/wide/use-is-wide.ts'

/**
 * The chosen row of a list, by a name in the address. A wide window writes it there, so that going back returns to the row before. On a
 * phone, where details cover the list, only links do.
 */
export function useChosen(name: string): readonly [string | undefined, (id: string | undefined) => void] {
  const isWide = useIsWide()
  const { path, query } = usePlace()
  const [own, setOwn] = useState<string>()
  const asked = query.get(name) ?? undefined
  const choose = (id: string | undefined): void => {
    setOwn(isWide ? undefined : id)
    if (id === asked || (!isWide && id !== undefined)) return
    const next = new URLSearchParams(query)
    if (id === undefined) next.delete(name)
    else next.set(name, id)
    const text = next.toString()
    navigate(text === '' ? path : `${path}?${text}`, { replace: !isWide })
  }
  return [own ?? asked, choose]
}

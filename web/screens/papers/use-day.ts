import { useMemo } from 'react'
import { useLang } from '../../app/texts.ts'

/** Formats a day, YYYY-MM-DD. It has no zone, so it is the same day everywhere. */
export function useDay(): (day: string) => string {
  const tag = useLang((state) => state.tag)
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })
    return (day) => format.format(Date.parse(`${day}T00:00:00Z`))
  }, [tag])
}

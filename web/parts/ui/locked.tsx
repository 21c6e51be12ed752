import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { useCountdown } from './countdown.ts'

/** Says after how long the next attempt is possible, until it is. Screen readers hear the length once, not each second. */
export function Locked({ until }: { readonly until: number | undefined }) {
  const { t } = useTranslation()
  const format = useFormats()
  const wait = useCountdown(until)
  const [first] = useState(wait)
  const text = (seconds: number): string => t('auth.locked', { wait: format.span(seconds * 1_000) })
  if (wait === 0) return null
  return (
    <p role="alert" className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
      <span className="sr-only">{text(first)}</span>
      <span aria-hidden className="tn">
        {text(wait)}
      </span>
    </p>
  )
}

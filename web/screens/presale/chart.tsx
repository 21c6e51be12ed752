import type { WirePresaleDetail } from '@candor/core/protocol/wire/presale.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { placeOf, stairsOf } from './stages.ts'
import { releaseText } from './words.ts'

const size = { width: 320, height: 110 } as const

/** The released part of the tokens by day. */
export function ReleaseChart({ presale, now }: { readonly presale: WirePresaleDetail; readonly now: number }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { schedule, release, endsAt } = presale
  const text = releaseText(presale, t, format)
  if (release.lockDays === 0) return <p className="text-13 text-fg2">{text}</p>
  const stairs = stairsOf(schedule, size)
  const place = placeOf(schedule, now)
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="text-13 text-pretty text-fg2">{text}</figcaption>
      <svg role="img" viewBox={`-4 -6 ${size.width + 8} ${size.height + 12}`} className="w-full text-brand" aria-label={text}>
        <path d={`${stairs}V${size.height}Z`} fill="currentColor" opacity={0.12} />
        <path d={`M0 ${size.height}H${size.width}`} stroke="var(--line)" />
        <path d={stairs} fill="none" stroke="currentColor" strokeWidth={2} strokeLinejoin="round" strokeLinecap="round" />
        {place !== undefined && (
          <path d={`M${place * size.width} 0V${size.height}`} stroke="var(--fg3)" strokeDasharray="3 4" strokeWidth={1.5} />
        )}
      </svg>
      <div aria-hidden className="tn flex justify-between gap-3 text-11 text-fg3">
        <span>
          {format.date(endsAt)}
          <br />
          {format.percent(release.atListingPercent, 0)}
        </span>
        <span className="text-end">
          {format.date(schedule.at(-1)?.at ?? endsAt)}
          <br />
          {format.percent(100, 0)}
        </span>
      </div>
    </figure>
  )
}

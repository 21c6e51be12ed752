import { IdCard, ImageOff } from 'lucide-react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'

/** A photo in the document's proportion, or the place where it will be. */
export function PhotoFrame({
  url,
  isLost,
  isMissing,
  isFaulty,
  ratio,
  alt,
  describedBy,
}: {
  readonly url: string | undefined
  readonly isLost: boolean
  readonly isMissing: boolean
  readonly isFaulty: boolean
  readonly ratio: number
  readonly alt: string
  readonly describedBy: string | undefined
}) {
  const { t } = useTranslation()
  return (
    <div
      style={{ aspectRatio: ratio }}
      className={`relative flex w-full max-w-110 items-center justify-center self-center overflow-hidden rounded-card bg-s2 ${isFaulty ? 'outline-2 outline-danger' : ''}`}
    >
      {url !== undefined && <img src={url} alt={alt} aria-describedby={describedBy} className="size-full object-contain" />}
      {isMissing && (
        <>
          <Corners />
          <IdCard size={72} strokeWidth={1} aria-hidden className="text-fg3" />
        </>
      )}
      {isLost && (
        <span className="flex flex-col items-center gap-2 p-4 text-center text-13 text-fg2">
          <ImageOff size={24} strokeWidth={1.75} aria-hidden className="text-fg3" />
          {t('papers.notShown')}
        </span>
      )}
      {url === undefined && !isMissing && !isLost && <span aria-hidden className="skeleton absolute inset-0" />}
    </div>
  )
}

/** The corners of the frame that a document should fill. */
function Corners() {
  const above = ['top-3 left-3 rounded-tl-control border-t-3 border-l-3', 'top-3 right-3 rounded-tr-control border-t-3 border-r-3']
  const below = ['bottom-3 left-3 rounded-bl-control border-b-3 border-l-3', 'right-3 bottom-3 rounded-br-control border-r-3 border-b-3']
  return [...above, ...below].map((place) => <span key={place} aria-hidden className={`absolute size-7 border-brand ${place}`} />)
}

/** How much of the upload is done. */
export function Progress({ share }: { readonly share: number }) {
  const { t } = useTranslation()
  const format = useFormats()
  const percent = Math.floor(share * 100)
  const text = percent < 100 ? t('papers.sending', { percent: format.percent(percent, 0) }) : t('papers.checking')
  return (
    <div className="flex flex-col gap-1.5">
      <div
        role="progressbar"
        aria-label={t('papers.upload')}
        aria-valuenow={percent}
        aria-valuetext={text}
        className="h-1.5 overflow-hidden rounded-full bg-s3"
      >
        <div className="h-full rounded-full bg-brand transition-[width]" style={{ width: `${percent}%` }} />
      </div>
      <p aria-hidden className="tn text-12 text-fg2">
        {text}
      </p>
    </div>
  )
}

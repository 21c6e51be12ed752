import { Check } from 'lucide-react'
import type { RefObject } from 'react'
import { useTranslation } from '../../app/translate.ts'
import type { Picture } from './picture.ts'

/** Chooses a file, by a button elsewhere. */
export function Chooser({
  chooser,
  onFile,
}: {
  readonly chooser: RefObject<HTMLInputElement | null>
  readonly onFile: (file: File) => void
}) {
  const { t } = useTranslation()
  return (
    <input
      ref={chooser}
      type="file"
      accept="image/jpeg,image/png"
      aria-label={t('papers.choose')}
      hidden
      onChange={({ target }) => {
        const [file] = target.files ?? []
        // The same file may be chosen again.
        target.value = ''
        if (file !== undefined) onFile(file)
      }}
    />
  )
}

/** The phone's own checks of a photo before it is sent. */
export function Verdict({ picture }: { readonly picture: Picture }) {
  const { t } = useTranslation()
  if (picture.isSmall) {
    return (
      <p role="alert" className="rounded-control bg-dangertint px-3 py-2.5 text-13 text-danger">
        {t('papers.small')}
      </p>
    )
  }
  if (picture.isBlurred) {
    return (
      <p role="alert" className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
        {t('papers.blurred')}
      </p>
    )
  }
  return (
    <p role="status" className="text-13 text-fg2">
      {t('papers.look')}
    </p>
  )
}

/** Rules for a good photo. */
export function Advice() {
  const { t } = useTranslation()
  return (
    <>
      <ul className="flex flex-col gap-2">
        {[t('papers.tipCorners'), t('papers.tipGlare'), t('papers.tipFill')].map((tip) => (
          <li key={tip} className="flex gap-2 text-15">
            <Check size={18} strokeWidth={2} aria-hidden className="mt-0.5 shrink-0 text-brand" />
            {tip}
          </li>
        ))}
      </ul>
      <p className="text-12 text-fg3">{t('papers.accepts')}</p>
    </>
  )
}

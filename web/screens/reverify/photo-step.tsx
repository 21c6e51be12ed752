import type { PaperKind, PhotoSide } from '@candor/core/protocol/wire/papers.ts'
import { useMutation } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useTranslation } from '../../app/translate.ts'
import { fetchReporting } from '../../app/upload.ts'
import { keepRegain, regain } from '../../parts/access/regain.ts'
import { CameraView } from '../../parts/papers/camera.tsx'
import { cardRatio, pageRatio } from '../../parts/papers/frame.ts'
import { PhotoFrame, Progress } from '../../parts/papers/photo-frame.tsx'
import { Advice, Chooser, Verdict } from '../../parts/papers/photo-parts.tsx'
import { type Picture, pictureOfFile } from '../../parts/papers/picture.ts'
import { StepPage } from '../../parts/papers/step-page.tsx'
import { Button } from '../../parts/ui/button.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import type { StepShared } from './draft.tsx'

type Props = StepShared & {
  readonly side: PhotoSide
  readonly kind: PaperKind
  readonly isLast: boolean
  readonly isSending: boolean
  readonly error: Error | null
  readonly onBack: (() => void) | undefined
}

/** A photo of one side: taken or chosen, looked at, sent. The exchange shows it to nobody but the reviewers: this browser has no session. */
export function PhotoStep({ side, kind, isLast, isSending, error, onBack, onNext, at, done, takesFocus }: Props) {
  const { t } = useTranslation()
  const ratio = kind === 'passport' ? pageRatio : cardRatio
  const title = side === 'back' ? t('papers.back') : kind === 'passport' ? t('papers.page') : t('papers.front')
  const photo = usePhoto(side, isLast, onNext)
  const { picture, upload, prepare, share } = photo
  const isSaved = done[at] === true && picture === undefined
  const isGood = picture !== undefined && !picture.isSmall && !picture.isBlurred
  const isBusy = upload.isPending || isSending
  const next = isSaved ? onNext : () => picture !== undefined && !isBusy && upload.mutate(picture.file)
  const action = isSaved ? (isLast ? t('papers.send') : t('common.next')) : picture?.isBlurred ? t('papers.useAnyway') : t('papers.use')
  return (
    <StepPage
      {...{ at, done, takesFocus, title }}
      footer={
        <>
          {(isSaved || (picture !== undefined && !picture.isSmall)) && (
            <Button isWide variant={isSaved || isGood ? 'primary' : 'soft'} isBusy={isBusy} onClick={next}>
              {action}
            </Button>
          )}
          <div className="flex flex-wrap gap-2">
            <Button
              variant={isSaved || isGood ? 'soft' : 'primary'}
              className="flex-1"
              disabled={isBusy}
              onClick={() => photo.open('camera')}
            >
              {isSaved || picture !== undefined ? t('papers.again') : t('papers.take')}
            </Button>
            <Button variant="soft" className="flex-1" disabled={isBusy} isBusy={prepare.isPending} onClick={() => photo.open('file')}>
              {t('papers.choose')}
            </Button>
          </div>
          <Button variant="ghost" size="medium" isWide onClick={onBack}>
            {t('common.back')}
          </Button>
        </>
      }
    >
      <PhotoFrame
        url={photo.url}
        isLost={photo.url === undefined && isSaved}
        isMissing={photo.url === undefined && !isSaved}
        isFaulty={false}
        ratio={ratio}
        alt={t('papers.photoOf', { what: title })}
        describedBy={undefined}
      />
      {upload.isPending && <Progress share={share} />}
      {picture !== undefined && !upload.isPending && <Verdict picture={picture} />}
      {isSaved && (
        <p className="flex items-center gap-2 text-13 text-ok">
          <Check size={18} strokeWidth={2} aria-hidden className="shrink-0" />
          {t('papers.saved')}
        </p>
      )}
      {!isSaved && picture === undefined && <Advice />}
      {prepare.isError && (
        <p role="alert" className="rounded-control bg-dangertint px-3 py-2.5 text-13 text-danger">
          {t('papers.unreadable')}
        </p>
      )}
      <FormError error={upload.error ?? error} />
      <Chooser chooser={photo.chooser} onFile={prepare.mutate} />
      {photo.isCameraOpen && (
        <CameraView title={title} ratio={ratio} onClose={photo.close} onPicture={photo.take} onFile={(file) => prepare.mutate(file)} />
      )}
    </StepPage>
  )
}

function usePhoto(side: PhotoSide, isLast: boolean, onSaved: () => void) {
  const saved = queries.getQueryData<Blob>(keyOf(side))
  const [picture, setPicture] = useState<Picture>()
  const [share, setShare] = useState(0)
  const [isCameraOpen, setIsCameraOpen] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  const url = useUrl(picture?.file ?? saved)
  const upload = useMutation({
    mutationFn: (file: Blob) => {
      setShare(0)
      return regain.putPhoto(side, file, { fetch: fetchReporting(setShare) })
    },
    onSuccess(next, file) {
      queries.setQueryData(keyOf(side), file)
      keepRegain(next)
      setPicture(undefined)
      if (!isLast) onSaved()
    },
  })
  const prepare = useMutation({
    mutationFn: pictureOfFile,
    onMutate: () => {
      setIsCameraOpen(false)
      upload.reset()
    },
    onSuccess: setPicture,
  })
  const take = (taken: Picture): void => {
    upload.reset()
    prepare.reset()
    setPicture(taken)
    setIsCameraOpen(false)
  }
  const open = (source: 'camera' | 'file'): void => {
    if (source === 'camera') setIsCameraOpen(true)
    else chooser.current?.click()
  }
  return { picture, url, upload, prepare, share, isCameraOpen, chooser, take, open, close: () => setIsCameraOpen(false) }
}

/** Only this browser has the photo that it sent, for some minutes. */
const keyOf = (side: PhotoSide): readonly string[] => ['regain-photo', side]

/** The address of a file in this page, as long as it is used. */
function useUrl(file: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (file === undefined) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(undefined)
    }
  }, [file])
  return url
}

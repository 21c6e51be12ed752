import type { PhotoSide, WirePapers } from '@candor/core/protocol/wire/papers.ts'
import { useMutation } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { CameraView } from '../../parts/papers/camera.tsx'
import { cardRatio, pageRatio } from '../../parts/papers/frame.ts'
import { PhotoFrame, Progress } from '../../parts/papers/photo-frame.tsx'
import { Advice, Chooser, Verdict } from '../../parts/papers/photo-parts.tsx'
import { useSavedPhoto, useUpload, useUrl } from './photos.ts'
import { type Picture, pictureOfFile } from '../../parts/papers/picture.ts'
import { FaultNote, StepFrame } from './step-frame.tsx'
import { faultOf } from './steps.ts'
import type { StepProps } from './use-save.ts'
import { faultText, stepText } from './words.ts'

type Source = 'camera' | 'file'

/** A photo of one side: taken or chosen, looked at, sent. */
export function PhotoStep({ papers, side, takesFocus, onNext }: StepProps & { readonly side: PhotoSide }) {
  const { t } = useTranslation()
  const ratio = papers.kind === 'passport' ? pageRatio : cardRatio
  const [isCameraOpen, setIsCameraOpen] = useState(false)
  const [picture, setPicture] = useState<Picture>()
  const chooser = useRef<HTMLInputElement>(null)
  const upload = useUpload(side, (next) => {
    setPicture(undefined)
    onNext(next, side)
  })
  const prepare = useMutation({
    mutationFn: pictureOfFile,
    onMutate: () => upload.run.reset(),
    onSuccess: setPicture,
  })
  const open = (source: Source): void => {
    if (upload.run.isPending) return
    if (source === 'camera') setIsCameraOpen(true)
    else chooser.current?.click()
  }
  return (
    <StepFrame
      papers={papers}
      step={side}
      takesFocus={takesFocus}
      footer={
        <PhotoButtons
          papers={papers}
          side={side}
          picture={picture}
          isSending={upload.run.isPending}
          isPreparing={prepare.isPending}
          hasFailed={upload.run.isError}
          onOpen={open}
          onUse={() => picture !== undefined && !upload.run.isPending && upload.run.mutate(picture.file)}
          onNext={() => onNext(papers, side)}
        />
      }
    >
      <PhotoBody
        papers={papers}
        side={side}
        ratio={ratio}
        picture={picture}
        share={upload.run.isPending ? upload.share : undefined}
        hasFailed={upload.run.isError}
      />
      {prepare.isError && (
        <p role="alert" className="rounded-control bg-dangertint px-3 py-2.5 text-13 text-danger">
          {t('papers.unreadable')}
        </p>
      )}
      <FormError error={upload.run.error} />
      <Chooser chooser={chooser} onFile={prepare.mutate} />
      {isCameraOpen && (
        <CameraView
          title={stepText(side, papers.kind, t)}
          ratio={ratio}
          onClose={() => setIsCameraOpen(false)}
          onPicture={(taken) => {
            upload.run.reset()
            prepare.reset()
            setPicture(taken)
            setIsCameraOpen(false)
          }}
          onFile={(file) => {
            setIsCameraOpen(false)
            prepare.mutate(file)
          }}
        />
      )}
    </StepFrame>
  )
}

/** The photo with what is to be said about it, or the advice before there is one. */
function PhotoBody({
  papers,
  side,
  ratio,
  picture,
  share,
  hasFailed,
}: {
  readonly papers: WirePapers
  readonly side: PhotoSide
  readonly ratio: number
  readonly picture: Picture | undefined
  readonly share: number | undefined
  readonly hasFailed: boolean
}) {
  const { t } = useTranslation()
  const id = useId()
  const photo = papers.photos.find((one) => one.side === side)
  const saved = useSavedPhoto(picture === undefined ? photo : undefined)
  const own = useUrl(picture?.file)
  const fault = picture === undefined ? faultOf(papers, side) : undefined
  const isMissing = picture === undefined && photo === undefined
  return (
    <>
      <PhotoFrame
        url={own ?? saved.url}
        isLost={saved.isLost}
        isMissing={isMissing}
        isFaulty={fault !== undefined}
        ratio={ratio}
        alt={t('papers.photoOf', { what: stepText(side, papers.kind, t) })}
        describedBy={fault === undefined ? undefined : id}
      />
      {fault !== undefined && <FaultNote id={id}>{faultText(fault, t)}</FaultNote>}
      {share !== undefined && <Progress share={share} />}
      {picture !== undefined && share === undefined && !hasFailed && <Verdict picture={picture} />}
      {picture === undefined && photo !== undefined && fault === undefined && (
        <p className="flex items-center gap-2 text-13 text-ok">
          <Check size={18} strokeWidth={2} aria-hidden className="shrink-0" />
          {t('papers.saved')}
        </p>
      )}
      {(isMissing || fault !== undefined) && <Advice />}
    </>
  )
}

/** One button for the next thing to do, and the ways to another photo. */
function PhotoButtons({
  papers,
  side,
  picture,
  isSending,
  isPreparing,
  hasFailed,
  onOpen,
  onUse,
  onNext,
}: {
  readonly papers: WirePapers
  readonly side: PhotoSide
  readonly picture: Picture | undefined
  readonly isSending: boolean
  readonly isPreparing: boolean
  readonly hasFailed: boolean
  readonly onOpen: (source: Source) => void
  readonly onUse: () => void
  readonly onNext: () => void
}) {
  const { t } = useTranslation()
  const isSaved = papers.photos.some((photo) => photo.side === side) && faultOf(papers, side) === undefined
  const isGood = picture === undefined ? isSaved : !picture.isSmall && !picture.isBlurred
  const use = hasFailed ? t('common.retry') : picture?.isBlurred === true ? t('papers.useAnyway') : t('papers.use')
  return (
    // What is advised comes first.
    <div className={`flex gap-2 ${isGood ? 'flex-col' : 'flex-col-reverse'}`}>
      {picture === undefined && isSaved && (
        <Button isWide onClick={onNext}>
          {t('common.next')}
        </Button>
      )}
      {picture !== undefined && !picture.isSmall && (
        <Button variant={isGood ? 'primary' : 'soft'} isWide isBusy={isSending} onClick={onUse}>
          {use}
        </Button>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant={isGood ? 'soft' : 'primary'} className="flex-1" disabled={isSending} onClick={() => onOpen('camera')}>
          {picture !== undefined || isSaved ? t('papers.again') : t('papers.take')}
        </Button>
        <Button variant="soft" className="flex-1" disabled={isSending} isBusy={isPreparing} onClick={() => onOpen('file')}>
          {t('papers.choose')}
        </Button>
      </div>
    </div>
  )
}

import { Download, Share2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { toastProblem } from '../../parts/ui/toast.tsx'
import { drawPoster } from './poster.ts'

const fileName = 'candor-invitation.png'

/** The poster, to hand to another app or to save. */
export function PosterSheet({
  isOpen,
  onClose,
  code,
  link,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly code: string
  readonly link: string
}) {
  const { t } = useTranslation()
  const canvas = useRef<HTMLCanvasElement>(null)
  const headline = t('referral.posterHeadline')
  const scan = t('referral.posterScan')
  useEffect(() => {
    if (isOpen && canvas.current !== null) drawPoster(canvas.current, { link, code, headline, scan })
  }, [isOpen, link, code, headline, scan])
  const give = async (isShared: boolean): Promise<void> => {
    const file = await fileOf(canvas.current)
    if (!isShared) return save(file)
    await navigator.share({ files: [file], title: 'Candor', url: link })
  }
  const giveOn = (isShared: boolean): void =>
    void give(isShared).catch((error: unknown) => {
      // The person closed the share sheet.
      if (!(error instanceof DOMException && error.name === 'AbortError')) toastProblem(error, t)
    })
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={t('referral.poster')}
      footer={
        <div className="flex flex-wrap gap-2">
          {canShareFiles() && (
            <Button size="medium" className="flex-1" onClick={() => giveOn(true)}>
              <Share2 size={18} strokeWidth={1.75} aria-hidden />
              {t('referral.share')}
            </Button>
          )}
          <Button size="medium" variant={canShareFiles() ? 'soft' : 'primary'} className="flex-1" onClick={() => giveOn(false)}>
            <Download size={18} strokeWidth={1.75} aria-hidden />
            {t('referral.save')}
          </Button>
        </div>
      }
    >
      <canvas
        ref={canvas}
        role="img"
        aria-label={t('referral.posterLabel', { code })}
        className="mx-auto block max-h-[52svh] w-auto max-w-full rounded-card"
      />
    </Sheet>
  )
}

function canShareFiles(): boolean {
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [new File([], fileName, { type: 'image/png' })] })
}

function fileOf(canvas: HTMLCanvasElement | null): Promise<File> {
  return new Promise((resolve, reject) => {
    canvas?.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(new File([blob], fileName, { type: 'image/png' }))))
  })
}

function save(file: File): void {
  const url = URL.createObjectURL(file)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = file.name
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

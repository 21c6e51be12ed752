import { Download, Share2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { canShareFiles, fileOf, isClosedByPerson, save } from '../../parts/share/file.ts'
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
    const file = await fileOf(canvas.current, fileName)
    if (!isShared) return save(file)
    await navigator.share({ files: [file], title: 'Candor', url: link })
  }
  const giveOn = (isShared: boolean): void =>
    void give(isShared).catch((error: unknown) => {
      if (!isClosedByPerson(error)) toastProblem(error, t)
    })
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={t('referral.poster')}
      footer={
        <div className="flex flex-wrap gap-2">
          {canShareFiles(fileName) && (
            <Button size="medium" className="flex-1" onClick={() => giveOn(true)}>
              <Share2 size={18} strokeWidth={1.75} aria-hidden />
              {t('referral.share')}
            </Button>
          )}
          <Button size="medium" variant={canShareFiles(fileName) ? 'soft' : 'primary'} className="flex-1" onClick={() => giveOn(false)}>
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

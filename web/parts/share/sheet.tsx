import { Download, Share2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useConfig } from '../../app/config.ts'
import { useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { Switch } from '../fields/field.tsx'
import { Button } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Segmented } from '../ui/tabs.tsx'
import { toastProblem } from '../ui/toast.tsx'
import { drawCard, type Theme } from './card.ts'
import type { Facts } from './facts.ts'
import { canShareFiles, fileOf, isClosedByPerson, save } from './file.ts'

const fileName = 'candor-result.png'

/**
 * The picture of a result, to hand to another app or to save. It has the amount only if the person switches that on. `factsOf` is asked
 * once, when the texts are there.
 */
export function ShareSheet({ factsOf, onClose }: { readonly factsOf: () => Facts; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const canvas = useRef<HTMLCanvasElement>(null)
  const isSandbox = useConfig().data?.mode === 'sandbox'
  const updown = useSettings((settings) => settings.updown) ?? 'green'
  const [theme, setTheme] = useState<Theme>(() => (document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark'))
  const [hasMoney, setHasMoney] = useState(false)
  // A picture shows the figures of the moment at which it was opened.
  const [shown] = useState(factsOf)
  const note = isSandbox ? t('shell.practice') : undefined
  useEffect(() => {
    if (canvas.current !== null) drawCard(canvas.current, shown, { theme, updown, hasMoney, note })
  }, [shown, theme, updown, hasMoney, note])
  const give = async (isShared: boolean): Promise<void> => {
    const file = await fileOf(canvas.current, fileName)
    if (!isShared) return save(file)
    await navigator.share({ files: [file], title: 'Candor' })
  }
  const giveOn = (isShared: boolean): void =>
    void give(isShared).catch((error: unknown) => {
      if (!isClosedByPerson(error)) toastProblem(error, t)
    })
  const label = [shown.pair, shown.side, shown.percent, ...(hasMoney ? [shown.money] : [])].join(', ')
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('share.title')}
      footer={
        <div className="flex flex-wrap gap-2">
          {canShareFiles(fileName) && (
            <Button size="medium" className="flex-1" onClick={() => giveOn(true)}>
              <Share2 size={18} strokeWidth={1.75} aria-hidden />
              {t('share.share')}
            </Button>
          )}
          <Button size="medium" variant={canShareFiles(fileName) ? 'soft' : 'primary'} className="flex-1" onClick={() => giveOn(false)}>
            <Download size={18} strokeWidth={1.75} aria-hidden />
            {t('share.save')}
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-3">
        <canvas
          ref={canvas}
          role="img"
          aria-label={label}
          style={{ maxHeight: '46svh' }}
          className="mx-auto block aspect-4/5 w-auto max-w-full rounded-card border border-line"
        />
        <Segmented
          size="small"
          label={t('share.theme')}
          value={theme}
          onChange={setTheme}
          choices={[
            { value: 'dark', label: t('share.dark') },
            { value: 'light', label: t('share.light') },
          ]}
        />
        <div className="flex items-center gap-3">
          <span className="min-w-0 flex-1 text-13">
            {t('share.money')}
            <span className="block text-12 text-fg2">{t('share.nobody')}</span>
          </span>
          <Switch isOn={hasMoney} onChange={setHasMoney} label={t('share.money')} />
        </div>
      </div>
    </Sheet>
  )
}

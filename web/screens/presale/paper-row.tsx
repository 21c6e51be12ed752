import { useMutation } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, FileDown } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { presale } from '../../parts/presale/api.ts'
import { Button } from '../../parts/ui/button.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { CopyField } from '../../parts/fields/copy-field.tsx'
import { isPaper, saveFile } from './paper.ts'

/** The whitepaper with its hash. The file is checked on this device before it is saved. */
export function PaperRow({ hash, symbol }: { readonly hash: string; readonly symbol: string }) {
  const { t } = useTranslation()
  const download = useMutation({
    async mutationFn() {
      const file = await presale.paper(hash)
      const isSame = isPaper(new Uint8Array(await file.arrayBuffer()), hash)
      if (isSame) saveFile(`${symbol}-whitepaper.pdf`, file)
      return isSame
    },
  })
  return (
    <div className="flex flex-col gap-3">
      <CopyField label={t('presale.paperHash')} text={hash} />
      <p className="text-12 text-fg3">{t('presale.paperHint')}</p>
      {download.data !== undefined && <Verdict isSame={download.data} />}
      <FormError error={download.error} />
      <Button variant="soft" size="medium" isBusy={download.isPending} onClick={() => download.mutate()}>
        <FileDown size={18} strokeWidth={1.75} aria-hidden />
        {t('presale.paperGet')}
      </Button>
    </div>
  )
}

function Verdict({ isSame }: { readonly isSame: boolean }) {
  const { t } = useTranslation()
  const [Icon, tone] = isSame ? [CircleCheck, 'text-ok'] : [CircleAlert, 'text-danger']
  return (
    <p role={isSame ? 'status' : 'alert'} className={`flex gap-2 text-13 ${tone}`}>
      <Icon size={18} strokeWidth={1.75} aria-hidden className="shrink-0" />
      <span className="min-w-0">{t(isSame ? 'presale.paperSame' : 'presale.paperOther')}</span>
    </p>
  )
}

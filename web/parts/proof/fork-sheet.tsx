import type { Evidence } from '@candor/core/proof/evidence.ts'
import { Download } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { save } from '../share/file.ts'
import { Button } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { evidenceFile } from './evidence-file.ts'
import { Found } from './found.tsx'

/** Above everything: the exchange has shown this device two stories. Names both heads and offers the evidence; it is closed by going on. */
export function ForkSheet({ found, onClose }: { readonly found: readonly Evidence[]; readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Sheet
      isOpen
      isHeld
      onClose={onClose}
      title={t('verify.fork.title')}
      footer={
        <div className="flex flex-wrap gap-2">
          <Button variant="soft" className="flex-1" onClick={onClose}>
            {t('verify.fork.goOn')}
          </Button>
          <Button className="flex-[2]" onClick={() => found.forEach((one) => save(evidenceFile(one)))}>
            <Download size={18} strokeWidth={1.75} aria-hidden />
            {t('verify.fork.save')}
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-4">
        {found.map((one) => (
          <Found key={one.at} evidence={one} />
        ))}
        <p className="text-13 text-pretty text-fg2">{t('verify.fork.hint')}</p>
      </div>
    </Sheet>
  )
}

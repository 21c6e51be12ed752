import { Download } from 'lucide-react'
import { useState } from 'react'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import { IconButton } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'

/** Saves a list as a file. `save` loads the whole list, which may take some seconds. */
export function ExportButton({ label, save }: { readonly label: string; readonly save: () => Promise<void> }) {
  const { t } = useTranslation()
  const [isBusy, setIsBusy] = useState(false)
  const run = async (): Promise<void> => {
    setIsBusy(true)
    try {
      await save()
    } catch (error) {
      toast({ text: problemOf(error, t).text, tone: 'bad' })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <IconButton label={label} aria-busy={isBusy} disabled={isBusy} onClick={() => void run()}>
      <Download size={20} strokeWidth={1.75} aria-hidden className={isBusy ? 'animate-pulse' : ''} />
    </IconButton>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { evidenceFile } from '../../parts/proof/evidence-file.ts'
import { Found } from '../../parts/proof/found.tsx'
import { look, lookKey } from '../../parts/proof/look.ts'
import { findings } from '../../parts/proof/memory.ts'
import { save } from '../../parts/share/file.ts'
import { Save } from './section.tsx'

/** What this device has found so far. It stays here, because the heads that it names can't be taken back. */
export function Findings() {
  const { t } = useTranslation()
  const format = useFormats()
  // Renders again after each look, which may have found something.
  useQuery({ queryKey: lookKey, queryFn: look, enabled: false })
  const all = findings()
  if (all.length === 0) return null
  return (
    <section className="flex flex-col gap-3 px-4">
      <h2 className="text-17 font-semibold">{t('verify.findings')}</h2>
      {all.map(({ evidence }) => (
        <div key={evidence.at} className="flex flex-col gap-2">
          <p className="text-13 text-fg2">{t('verify.foundAt', { at: format.dateTime(evidence.at) })}</p>
          <Found evidence={evidence} />
          <Save onClick={() => save(evidenceFile(evidence))}>{t('verify.fork.save')}</Save>
        </div>
      ))}
    </section>
  )
}

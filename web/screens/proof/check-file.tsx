import { type FileVerdict, fileVerdict } from '@candor/core/proof/any-file.ts'
import { FileCheck } from 'lucide-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { isSigned } from '../../parts/proof/signed.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Reading } from './reading.tsx'
import { Section } from './section.tsx'

type Checked = { readonly name: string; readonly verdict: FileVerdict }

/** Checks files that were chosen, dropped or pasted. Nothing leaves the device. */
export function CheckFile() {
  const { t } = useTranslation()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [pasted, setPasted] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [checked, setChecked] = useState<Checked>()

  const check = async (name: string, text: string): Promise<void> => {
    setIsBusy(true)
    setChecked({ name, verdict: await fileVerdict(isSigned, text) })
    setIsBusy(false)
  }
  const take = async (files: readonly File[]): Promise<void> => {
    if (files.length > 0) await check(files.map(({ name }) => name).join(', '), await joined(files))
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    void take([...event.dataTransfer.files])
  }
  return (
    <Section title={t('verify.file.title')} hint={t('verify.file.hint')}>
      <div className="flex flex-col gap-3 rounded-card bg-s1 p-4" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={t('verify.file.choose')}
          onChange={({ target }) => {
            void take([...(target.files ?? [])])
            target.value = ''
          }}
        />
        <Button variant="soft" size="medium" isBusy={isBusy} onClick={() => input.current?.click()}>
          <FileCheck size={18} strokeWidth={1.75} aria-hidden />
          {t('verify.file.choose')}
        </Button>
        <label htmlFor={id} className="text-12 text-fg2">
          {t('verify.file.paste')}
        </label>
        <textarea
          id={id}
          rows={3}
          value={pasted}
          spellCheck={false}
          autoCapitalize="off"
          onChange={({ target }) => setPasted(target.value)}
          className="w-full rounded-control bg-s2 p-3 text-13"
        />
        <Button
          variant="soft"
          size="medium"
          disabled={pasted.trim() === ''}
          onClick={() => void check(t('verify.file.pasted'), pasted.trim())}
        >
          {t('verify.file.check')}
        </Button>
      </div>
      {checked !== undefined && <Reading name={checked.name} verdict={checked.verdict} />}
    </Section>
  )
}

/** Several files are weeks of heads: they follow one another in the order of their names. */
async function joined(files: readonly File[]): Promise<string> {
  const inOrder = files.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  const texts = await Promise.all(inOrder.map((file) => file.text()))
  return texts.map((text) => (texts.length === 1 || text.endsWith('\n') ? text : `${text}\n`)).join('')
}

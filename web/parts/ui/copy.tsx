import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { tick } from '../../app/haptics.ts'

/** Copies `text` and confirms it in place. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useTranslation()
  const [isCopied, setIsCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await copyText(text)
    tick()
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), 1_600)
  }
  return (
    <button
      type="button"
      aria-label={isCopied ? t('common.copied') : `${t('common.copy')}: ${label}`}
      onClick={() => void copy()}
      className="inline-flex size-8 items-center justify-center text-fg3"
    >
      {isCopied ? <Check size={16} strokeWidth={2} aria-hidden className="text-ok" /> : <Copy size={16} strokeWidth={1.75} aria-hidden />}
    </button>
  )
}

/** Copies text. Pages without https have no clipboard API, so they use a selected field and the old copy command. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

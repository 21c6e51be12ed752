import { ChevronRight } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { CopyButton } from '../ui/copy.tsx'
import { explorerUrl } from './words.ts'

/** The number of a transaction on its network, and the page that shows it. */
export function TransactionRow({ txid, explorer }: { readonly txid: string; readonly explorer: string | null | undefined }) {
  const { t } = useTranslation()
  const url = explorerUrl(explorer, txid)
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-13 text-fg2">{t('chains.transaction')}</span>
      <span className="flex items-center gap-2 rounded-control bg-s2 py-2 ps-3.5 pe-2">
        <code translate="no" className="min-w-0 flex-1 text-12 break-all select-all">
          {txid}
        </code>
        <CopyButton text={txid} label={t('chains.transaction')} />
      </span>
      {url !== undefined && (
        <a
          href={url}
          target="_blank"
          rel="noreferrer noopener"
          className="inline-flex min-h-8 items-center gap-0.5 text-13 font-medium text-brand"
        >
          {t('chains.explorer')}
          <ChevronRight size={16} strokeWidth={1.75} aria-hidden />
        </a>
      )}
    </div>
  )
}

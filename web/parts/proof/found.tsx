import type { Evidence } from '@candor/core/proof/evidence.ts'
import { headLeaf, readHeadText } from '@candor/core/proof/head.ts'
import { toHex } from '@candor/core/proof/sha256.ts'
import { CircleAlert } from 'lucide-react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'

/** One contradiction: what it is, and both heads. */
export function Found({ evidence: { found, remembered, shown } }: { readonly evidence: Evidence }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-2">
      <p role="alert" className="flex items-start gap-3 rounded-control bg-dangertint p-3 text-13 text-pretty">
        <CircleAlert size={20} strokeWidth={1.75} aria-hidden className="shrink-0 text-danger" />
        {t(`verify.fork.found.${found}`)}
      </p>
      <HeadBox title={t('verify.fork.remembered')} text={remembered?.head.text} />
      <HeadBox title={t('verify.fork.shown')} text={shown.head?.text} />
    </div>
  )
}

/** A head with its fingerprint, the hash that is its leaf in the tree of heads: two heads never share it. */
function HeadBox({ title, text }: { readonly title: string; readonly text: string | undefined }) {
  const { t } = useTranslation()
  const format = useFormats()
  const head = text === undefined ? undefined : readHeadText(text)
  return (
    <section className="rounded-control bg-s2 p-3 text-12 text-fg2">
      <h3 className="text-13 font-semibold text-fg">{title}</h3>
      {head === undefined || text === undefined ? (
        <p>{text === undefined ? t('verify.fork.noHead') : t('verify.fork.unreadable')}</p>
      ) : (
        <>
          <p className="tn">{t('verify.headOf', { n: format.number(head.n), at: format.dateTime(head.at) })}</p>
          <p className="tn">{t('verify.upTo', { seq: format.number(head.seq) })}</p>
          <p className="tn break-all select-all">{toHex(headLeaf(text))}</p>
        </>
      )}
    </section>
  )
}

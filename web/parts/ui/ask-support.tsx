import type { AboutKind } from '@candor/core/protocol/wire/support/tickets.ts'
import { Headset } from 'lucide-react'
import { supportLink } from './support-link.ts'
import { useTranslation } from '../../app/translate.ts'
import { ButtonLink } from './button.tsx'

/** The way to support. With a record, the ticket names it. */
export function AskSupport({ kind, id }: { readonly kind?: AboutKind; readonly id?: string }) {
  const { t } = useTranslation()
  return (
    <ButtonLink to={kind === undefined || id === undefined ? '/support' : supportLink(kind, id)} variant="ghost" size="medium" isWide>
      <Headset size={18} strokeWidth={1.75} aria-hidden />
      {t('common.askSupport')}
    </ButtonLink>
  )
}

/** The code of an error, which its ticket names. */
export function SupportCode({ code, className = '' }: { readonly code: string; readonly className?: string }) {
  const { t } = useTranslation()
  return (
    <p className={`flex flex-wrap items-center gap-x-2 text-11 ${className}`}>
      <span className="select-all">{t('common.supportCode', { code })}</span>
      <a href={`#${supportLink('code', code)}`} className="inline-flex min-h-8 items-center font-semibold underline underline-offset-2">
        {t('common.askSupport')}
      </a>
    </p>
  )
}

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

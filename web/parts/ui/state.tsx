import { useQueryClient } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { problemOf } from '../../app/problem.ts'
import { supportLink } from './support-link.ts'
import { Button, ButtonLink } from './button.tsx'

/** An empty list: one line of explanation, and one action. */
export function Empty({ text, icon, children }: { readonly text: string; readonly icon?: ReactNode; readonly children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-3 px-8 py-12 text-center">
      {icon !== undefined && (
        <span aria-hidden className="flex size-12 items-center justify-center rounded-full bg-s2 text-fg3">
          {icon}
        </span>
      )}
      <p className="text-13 text-fg2">{text}</p>
      {children}
    </div>
  )
}

/** Shown to visitors instead of a user's content. `next`: path to return to after the login. */
export function LoginFirst({ text, next }: { readonly text: string; readonly next: string }) {
  const { t } = useTranslation()
  return (
    <Empty text={text}>
      <ButtonLink to={`/login?next=${next}`} variant="soft" size="small">
        {t('trade.login')}
      </ButtonLink>
    </Empty>
  )
}

/** A failed load: a plain sentence, a retry button, and the code that support asks for. */
export function Failure({
  error,
  onRetry,
  isSmall = false,
}: {
  readonly error: unknown
  readonly onRetry?: () => void
  readonly isSmall?: boolean
}) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { text, code } = problemOf(error, t)
  const retry = onRetry ?? (() => void queries.refetchQueries({ type: 'active' }))
  return (
    <div role="alert" className={`flex flex-col items-center gap-3 px-8 text-center ${isSmall ? 'py-4' : 'py-12'}`}>
      {!isSmall && (
        <span aria-hidden className="flex size-12 items-center justify-center rounded-full bg-s2 text-fg3">
          <CloudOff size={22} strokeWidth={1.75} />
        </span>
      )}
      <p className="text-13 text-fg2">{text}</p>
      <Button variant="soft" size="small" onClick={retry}>
        {t('common.retry')}
      </Button>
      {code !== undefined && <SupportCode code={code} className="justify-center text-fg3" />}
    </div>
  )
}

/** The error of the last request of a form, in one sentence. */
export function FormError({ error }: { readonly error: unknown }) {
  const { t } = useTranslation()
  if (error === undefined || error === null) return null
  const { text, code, way } = problemOf(error, t)
  return (
    <div role="alert" className="rounded-control bg-dangertint px-3 py-2.5 text-13 text-danger">
      <p>{text}</p>
      {way !== undefined && (
        <a href={`#${way.to}`} className="inline-flex min-h-8 items-center font-semibold underline underline-offset-2">
          {t(way.text)}
        </a>
      )}
      {code !== undefined && way === undefined && <SupportCode code={code} />}
    </div>
  )
}

/** The code of an error, which its ticket names. */
function SupportCode({ code, className = '' }: { readonly code: string; readonly className?: string }) {
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

import { EyeOff, Percent, ShieldCheck, type LucideIcon } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { Mark } from '../../parts/ui/mark.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { useLanding } from './data.ts'

const points: readonly (readonly [LucideIcon, 'fees' | 'private' | 'ledger'])[] = [
  [Percent, 'fees'],
  [EyeOff, 'private'],
  [ShieldCheck, 'ledger'],
]

/** What a visitor sees who opens an invitation. A code that is not valid stops nobody. */
export function Landing({ code }: { readonly code: string }) {
  const { t } = useTranslation()
  const landing = useLanding(code)
  const { isValid = false, inviter = null } = landing.data ?? {}
  const register = isValid ? `/register?code=${code}` : '/register'
  return (
    <div className="flex flex-1 flex-col">
      <PageHeader title={t('referral.invitation')} />
      <div className="flex flex-1 flex-col gap-6 px-4 pt-4 pb-6">
        <Mark size={44} />
        {landing.isLoading ? (
          <div aria-hidden className="flex flex-col gap-2">
            <Skeleton className="h-8" />
            <Skeleton className="h-5 w-2/3" />
          </div>
        ) : (
          <div className="flex flex-col gap-2">
            <h2 className="text-28 font-semibold tracking-tight [overflow-wrap:anywhere]">
              {inviter === null ? t('referral.welcome') : t('referral.invitesYou', { inviter })}
            </h2>
            <p className="text-15 text-fg2">{t('referral.landingLead')}</p>
            {code !== '' && landing.data !== undefined && !isValid && (
              <p role="status" className="rounded-control bg-s2 px-3 py-2 text-13 text-fg2">
                {t('referral.unknownCode')}
              </p>
            )}
          </div>
        )}
        <ul className="flex flex-col gap-4">
          {points.map(([Icon, name]) => (
            <li key={name} className="flex gap-3">
              <span aria-hidden className="flex size-11 shrink-0 items-center justify-center rounded-control bg-s2 text-brand">
                <Icon size={20} strokeWidth={1.75} />
              </span>
              <span className="min-w-0">
                <span className="block text-15 font-semibold">{t(`referral.point.${name}`)}</span>
                <span className="block text-13 text-fg2">{t(`referral.pointText.${name}`)}</span>
              </span>
            </li>
          ))}
        </ul>
        <div className="mt-auto flex flex-col gap-2 pt-4">
          <ButtonLink to={register} isWide>
            {t('common.register')}
          </ButtonLink>
          <ButtonLink to="/login?next=/join" variant="ghost" size="medium" isWide>
            {t('common.login')}
          </ButtonLink>
        </div>
      </div>
    </div>
  )
}

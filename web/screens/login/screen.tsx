import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { navigate, nextOf, usePlace } from '../../app/location.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { Mark } from '../../parts/ui/mark.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { LoginForm } from '../../parts/account/login-form.tsx'

export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const next = nextOf(query)
  const [isSecondStep, setIsSecondStep] = useState(false)
  return (
    <>
      <PageHeader title={t('common.login')} />
      <div className="flex flex-1 flex-col gap-6 px-4 pt-4 pb-6">
        <div className="flex flex-col gap-2">
          <Mark size={44} />
          {!isSecondStep && <p className="mt-2 text-22 font-semibold">{t('auth.welcomeBack')}</p>}
        </div>
        <LoginForm onDone={() => navigate(next, { replace: true })} onStep={setIsSecondStep} />
        {!isSecondStep && <Others next={next} />}
      </div>
    </>
  )
}

/** Ways for those without a password or without an account. */
function Others({ next }: { readonly next: string }) {
  const { t } = useTranslation()
  return (
    <>
      <div className="flex flex-col items-center gap-1">
        <ButtonLink to="/password" variant="ghost" size="medium">
          {t('auth.forgot')}
        </ButtonLink>
      </div>
      <div className="mt-auto flex flex-col gap-3 border-t border-line pt-5">
        <p className="text-center text-13 text-fg2">{t('auth.noAccount')}</p>
        <ButtonLink to={next === '/' ? '/register' : `/register?next=${encodeURIComponent(next)}`} variant="soft" isWide>
          {t('auth.createAccount')}
        </ButtonLink>
      </div>
    </>
  )
}

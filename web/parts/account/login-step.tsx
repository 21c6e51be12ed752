import { ApiError } from '@candor/client/errors.ts'
import type { WireMe } from '@candor/core/protocol/wire/user.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { ButtonLink } from '../ui/button.tsx'
import { FactorForm, type FactorWay } from './factor-form.tsx'
import { factors } from './factors.ts'
import { canUsePasskeys, signWithPasskey } from './passkeys.ts'

type Attempt = { readonly way: 'passkey' } | { readonly way: 'code'; readonly code: string }

/** The second step of a login. `needs`: what the exchange asked for after the right password. */
export function LoginStep({
  needs,
  onIn,
  onOver,
  onFrozen,
}: {
  readonly needs: 'code' | 'passkey'
  readonly onIn: (me: WireMe) => void
  /** The step is over, and the login begins again with the password. */
  readonly onOver: (error: Error | undefined) => void
  /** Every factor was right, and the account is frozen. */
  readonly onFrozen: () => void
}) {
  const { t } = useTranslation()
  const login = useMutation({
    mutationFn: async (attempt: Attempt) => {
      if (attempt.way === 'code') return factors.loginByCode(attempt.code)
      const { options } = await factors.loginOptions()
      return factors.loginByPasskey({ response: await signWithPasskey(options) })
    },
    onSuccess: onIn,
    onError: (error) => {
      if (!(error instanceof ApiError)) return
      if (error.code === 'TOKEN_EXPIRED') onOver(error)
      if (error.code === 'USER_FROZEN') onFrozen()
    },
  })
  const passkey: readonly FactorWay[] = canUsePasskeys() ? ['passkey'] : []
  const ways: readonly FactorWay[] = needs === 'passkey' ? [...passkey, 'recovery'] : ['authenticator', 'recovery', ...passkey]
  useEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  return (
    <section aria-label={t('proof.stepTitle')} className="flex flex-col gap-4">
      <h2 className="text-17 font-semibold">{needs === 'code' ? t('proof.enterCode') : t('proof.stepTitle')}</h2>
      <FactorForm
        ways={ways}
        send={t('common.login')}
        isBusy={login.isPending}
        error={login.error}
        onCode={(_, code) => login.mutate({ way: 'code', code })}
        onPasskey={() => login.mutate({ way: 'passkey' })}
        onSwitch={login.reset}
      />
      <ButtonLink to="/reverify?begin=1" variant="ghost" size="medium">
        {t('proof.lost')}
      </ButtonLink>
      <button type="button" onClick={() => onOver(undefined)} className="min-h-11 self-center text-13 font-medium text-fg2">
        {t('proof.otherAccount')}
      </button>
    </section>
  )
}

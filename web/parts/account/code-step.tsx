import { useMutation } from '@tanstack/react-query'
import { ApiError } from '@candor/client/errors.ts'
import type { WireCodeRequest } from '@candor/core/protocol/wire/user.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { client } from '../../app/client.ts'
import { useConfig } from '../../app/config.ts'
import { useLang } from '../../app/texts.ts'
import type { Contact } from './contact.ts'
import { useCountdown } from '../ui/countdown.ts'

export type SentCode = { readonly contact: Contact; readonly resendAt: number; readonly expiresInSeconds: number }

/** Asks the exchange to send a code. If one was sent a moment ago, that is not an error, because it is still valid. */
export function useSendCode(purpose: WireCodeRequest['purpose']) {
  const lang = useLang((state) => state.lang)
  return useMutation({
    mutationFn: async (contact: Contact): Promise<SentCode> => {
      try {
        const sent = await client.user.requestCode({ purpose, channel: contact.channel, to: contact.to, lang })
        return { contact, resendAt: Date.now() + sent.resendAfter * 1_000, expiresInSeconds: sent.expiresIn }
      } catch (error) {
        if (error instanceof ApiError && error.code === 'CODE_TOO_SOON') {
          return { contact, resendAt: Date.now() + (error.retryAfter ?? 60) * 1_000, expiresInSeconds: 600 }
        }
        throw error
      }
    },
  })
}

/** Help below the code field: when a new code can be sent, a way back to the address, and in a sandbox a link to the inbox. */
export function CodeHelp({
  sent,
  onResend,
  onWrongContact,
  isBusy,
}: {
  readonly sent: SentCode
  readonly onResend: () => void
  /** Absent where the address is that of the account. */
  readonly onWrongContact?: () => void
  readonly isBusy: boolean
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const wait = useCountdown(sent.resendAt)
  const isSandbox = useConfig().data?.mode === 'sandbox'
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center justify-between gap-x-4 text-13">
        <button
          type="button"
          disabled={wait > 0 || isBusy}
          onClick={onResend}
          className="tn min-h-8 font-medium text-brand disabled:text-fg3"
        >
          {wait > 0 ? t('auth.resendIn', { wait: format.span(wait * 1_000) }) : t('auth.resend')}
        </button>
        {onWrongContact !== undefined && (
          <button type="button" onClick={onWrongContact} className="min-h-8 font-medium text-brand">
            {t('auth.wrongContact')}
          </button>
        )}
      </div>
      {isSandbox && (
        <a href="/inbox" target="_blank" rel="noreferrer" className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
          {t('auth.inbox')}
        </a>
      )}
    </div>
  )
}

import { AskSupport } from '../../parts/ui/ask-support.tsx'
import type { WireRegain } from '@candor/core/protocol/wire/regain.ts'
import { useMutation } from '@tanstack/react-query'
import { CircleX, FileSearch, TimerReset, type LucideIcon, MailPlus, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormats } from '../../app/format.ts'
import { useLang } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { regain as requests } from '../../parts/access/regain.ts'
import { Footer } from '../../parts/papers/step-page.tsx'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { Draft } from './draft.tsx'
import { Withdraw } from './withdraw.tsx'
import { timeText } from './words.ts'

type Look = { readonly icon: LucideIcon; readonly colours: string; readonly title: string; readonly text: string }
const calm = 'bg-brandtint text-brand'
const bad = 'bg-dangertint text-danger'

/** The request of this browser: what happens now, and what the customer can do. */
export function Request({ regain }: { readonly regain: WireRegain }) {
  const look = useLook(regain)
  if (regain.state === 'draft') return <Draft regain={regain} />
  const isOpen = regain.state === 'sent' || regain.state === 'waiting' || regain.state === 'ready'
  const { icon: Icon } = look
  return (
    <div className="flex flex-1 flex-col">
      <div className="flex flex-1 flex-col gap-5 px-4 pt-2 pb-4">
        <section role="status" className="flex flex-col items-center gap-3 rounded-card bg-s1 px-4 py-6 text-center">
          <span aria-hidden className={`flex size-14 items-center justify-center rounded-full ${look.colours}`}>
            <Icon size={28} strokeWidth={1.75} />
          </span>
          <h2 className="text-22 font-semibold">{look.title}</h2>
          <p className="text-15 break-words text-fg2">{look.text}</p>
        </section>
        {isOpen && <Told />}
      </div>
      <Footer>
        {regain.state === 'ready' && <Again />}
        {(regain.state === 'confirmed' || regain.state === 'rejected') && <AskSupport />}
        {isOpen ? <Withdraw /> : <Over />}
      </Footer>
    </div>
  )
}

function useLook({ state, dueAt, to, waitMs, linkExpiresAt }: WireRegain): Look {
  const { t } = useTranslation()
  const format = useFormats()
  const tag = useLang((one) => one.tag)
  const time = (at: number | null): string => (at === null ? '' : format.dateTime(at))
  return {
    draft: { icon: FileSearch, colours: calm, title: '', text: '' },
    sent: { icon: FileSearch, colours: calm, title: t('reverify.sent'), text: t('reverify.sentText', { wait: timeText(waitMs, tag) }) },
    waiting: { icon: TimerReset, colours: calm, title: t('reverify.waiting'), text: t('reverify.waitingText', { time: time(dueAt), to }) },
    ready: { icon: MailPlus, colours: calm, title: t('reverify.ready'), text: t('reverify.readyText', { time: time(linkExpiresAt), to }) },
    done: { icon: ShieldCheck, colours: 'bg-brandtint text-ok', title: t('reverify.done'), text: t('reverify.doneText') },
    confirmed: { icon: ShieldCheck, colours: calm, title: t('reverify.confirmed'), text: t('reverify.confirmedText') },
    rejected: { icon: CircleX, colours: bad, title: t('reverify.rejected'), text: t('reverify.rejectedText') },
    stopped: { icon: CircleX, colours: bad, title: t('reverify.stopped'), text: t('reverify.stoppedText') },
    expired: { icon: CircleX, colours: bad, title: t('reverify.expired'), text: t('reverify.expiredText') },
  }[state]
}

/** Advice for the time until the decision. */
function Told() {
  const { t } = useTranslation()
  const lines: readonly ReactNode[] = [t('reverify.toldAddresses'), t('reverify.toldFactor'), t('reverify.toldLeave')]
  return (
    <ul className="flex list-disc flex-col gap-2 rounded-card bg-s1 py-4 ps-8 pe-4 text-13 text-fg2">
      {lines.map((line) => (
        <li key={String(line)}>{line}</li>
      ))}
    </ul>
  )
}

function Again() {
  const { t } = useTranslation()
  const again = useMutation({
    mutationFn: () => requests.resendLink(),
    onSuccess: () => toast({ text: t('reverify.resent'), tone: 'good' }),
  })
  return (
    <>
      <FormError error={again.error} />
      <Button isWide isBusy={again.isPending} onClick={() => again.mutate()}>
        {t('reverify.resend')}
      </Button>
    </>
  )
}

function Over() {
  const { t } = useTranslation()
  return (
    <ButtonLink to="/login" isWide>
      {t('common.login')}
    </ButtonLink>
  )
}

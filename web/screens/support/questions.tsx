import { ChevronDown, ShieldCheck } from 'lucide-react'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { useDesk } from './data.ts'

const minuteMs = 60_000

/** Whether somebody of the exchange is there, as far as the exchange knows it; nothing until it does. */
export function Presence() {
  const { t } = useTranslation()
  const format = useFormats()
  const { data } = useDesk()
  if (data === undefined) return <p className="min-h-9" />
  const { isAtWork, usualMinutes } = data
  return (
    <p role="status" className="flex items-start gap-2 text-13 text-fg2">
      <span aria-hidden className={`mt-1.5 size-2 shrink-0 rounded-full ${isAtWork ? 'bg-ok' : 'bg-s3'}`} />
      {isAtWork
        ? t('support.atWork')
        : usualMinutes === null
          ? t('support.away')
          : t('support.usual', { wait: format.span(usualMinutes * minuteMs) })}
    </p>
  )
}

/** Whoever asks for a secret here is not of the exchange, or shouldn't be. */
export function Safe() {
  const { t } = useTranslation()
  return (
    <p className="flex items-start gap-2 rounded-control bg-s2 p-3 text-13 text-fg2">
      <ShieldCheck size={18} strokeWidth={1.75} aria-hidden className="mt-px shrink-0 text-brand" />
      {t('support.safe')}
    </p>
  )
}

export function Questions() {
  const { t } = useTranslation()
  const questions = [
    ['q1', 'a1'],
    ['q2', 'a2'],
    ['q3', 'a3'],
    ['q4', 'a4'],
  ] as const
  return (
    <section className="flex flex-col gap-2 px-4">
      <h2 className="px-1 text-12 font-medium text-fg3">{t('support.questions')}</h2>
      <div className="overflow-hidden rounded-card bg-s1 [&>*+*]:border-t [&>*+*]:border-line">
        {questions.map(([question, answer]) => (
          <details key={question} className="group">
            <summary className="flex min-h-13 cursor-pointer list-none items-center gap-3 px-4 py-2.5 text-15 active:bg-s2">
              <span className="min-w-0 flex-1">{t(`support.${question}`)}</span>
              <ChevronDown
                size={18}
                strokeWidth={1.75}
                aria-hidden
                className="shrink-0 text-fg3 transition-transform group-open:rotate-180"
              />
            </summary>
            <p className="px-4 pb-4 text-13 text-pretty text-fg2">{t(`support.${answer}`)}</p>
          </details>
        ))}
      </div>
    </section>
  )
}

/** The operator's own address, for those who can't log in. */
export function Contact() {
  const { t } = useTranslation()
  const address = useConfig().data?.support
  if (address === undefined) return null
  const isPage = address.startsWith('https:')
  return (
    <section className="flex flex-col gap-2 px-4">
      <h2 className="px-1 text-12 font-medium text-fg3">{t('support.other')}</h2>
      <a
        href={isPage ? address : `mailto:${address}`}
        {...(isPage ? { target: '_blank', rel: 'noreferrer' } : {})}
        className="flex min-h-13 items-center rounded-card bg-s1 px-4 text-15 break-all text-brand active:bg-s2"
      >
        {address}
      </a>
    </section>
  )
}

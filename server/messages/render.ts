import { locales, type MessageTexts } from '@candor/core/protocol/locales.ts'
import { type WithdrawalReason, withdrawalReasons } from '@candor/core/protocol/wire/withdrawal-reasons.ts'
import type { Message } from '../ports.ts'
import type { Texts } from './text.ts'
import { ca } from './texts/ca.ts'
import { de } from './texts/de.ts'
import { en } from './texts/en.ts'
import { fr } from './texts/fr.ts'
import { hk } from './texts/hk.ts'
import { it } from './texts/it.ts'
import { pt } from './texts/pt.ts'

/** Texts by the name under which the table of locales has them. */
export const languages: Readonly<Record<MessageTexts, Texts>> = { en, hk, ca, de, fr, it, pt }

/** Texts by the language code of an account. */
export function textsOf(lang: string): Texts {
  return languages[locales.find(({ code }) => code === lang)?.messages ?? 'en']
}

export type Mail = { readonly subject: string; readonly text: string; readonly html: string }

/** A message as mail: plain text, and simple HTML that loads nothing. */
export function renderMail(message: Message): Mail {
  const texts = textsOf(message.lang)
  const { subject, body } = texts.templates[message.template]
  const values = shown(message, texts)
  const { phrase } = message
  const first = phrase === undefined ? [] : [{ text: fill(texts.phrase, { phrase }), isCode: false }]
  const { closesWithdrawals, freezeLink: link } = message
  const last = [
    ...(closesWithdrawals === true ? [{ text: texts.closesWithdrawals, isCode: false }] : []),
    ...(link === undefined ? [] : [{ text: fill(texts.freeze.mail, { link }), isCode: false }]),
  ]
  const paragraphs = [...first, ...body.map((paragraph) => ({ text: fill(paragraph, values), isCode: paragraph === '{code}' })), ...last]
  const text = [...paragraphs.map((paragraph) => paragraph.text), '--', texts.footer].join('\n\n')
  return { subject: fill(subject, values), text: `${text}\n`, html: page(texts, fill(subject, values), paragraphs) }
}

export function renderSms(message: Message): string {
  const texts = textsOf(message.lang)
  const text = fill(texts.templates[message.template].sms, shown(message, texts))
  const { freezeLink: link } = message
  return link === undefined ? text : `${text} ${fill(texts.freeze.sms, { link })}`
}

/** Inserts values once: placeholders inside a value stay as they are. Line breaks in values become spaces. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{([a-z]+)\}/g, (whole, name: string) => {
    if (!Object.hasOwn(values, name)) throw new Error(`The text "${text.slice(0, 40)}" needs a value for ${whole}`)
    return (values[name] as string).replace(/[\r\n\t]+/g, ' ')
  })
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/**
 * The values of a message as text. `time` and `until` are in milliseconds and are shown in the reader's language, in UTC because their
 * time zone is unknown. `reason` is a name, or a text that is shown as it is.
 */
function shown(message: Message, { locale, withdrawalReasons }: Texts): Readonly<Record<string, string>> {
  const { time, until, reason } = message.values
  return {
    ...message.values,
    ...(time === undefined ? {} : { time: formatTime(Number(time), locale) }),
    ...(until === undefined ? {} : { until: formatTime(Number(until), locale) }),
    ...(isReason(reason) ? { reason: withdrawalReasons[reason] } : {}),
  }
}

function isReason(text: string | undefined): text is WithdrawalReason {
  return (withdrawalReasons as readonly (string | undefined)[]).includes(text)
}

export function formatTime(ms: number, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
  return `${format.format(ms)} UTC`
}

function page({ locale, footer }: Texts, subject: string, paragraphs: readonly { text: string; isCode: boolean }[]): string {
  const rows = paragraphs.map(({ text, isCode }) =>
    isCode
      ? `<p style="margin:24px 0;font:700 32px/1.2 monospace;letter-spacing:6px">${escapeHtml(text)}</p>`
      : `<p style="margin:16px 0">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`,
  )
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#14171c;font:16px/1.5 sans-serif">
<div style="max-width:480px;margin:0 auto">
<p style="margin:0 0 24px;font-weight:700;font-size:20px">Candor</p>
${rows.join('\n')}
<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #d7dbe0;color:#5a6270;font-size:13px">${escapeHtml(footer)}</p>
</div></body></html>
`
}

/** The form of an announcement: a tab for each language, the time, and a preview as the app shows it. */
import { type Lang, langs } from '@candor/core/protocol/locales.ts'
import { announcementTextMax, announcementTitleMax } from '@candor/core/protocol/wire/news/announcements.ts'
import { type ReactNode, useId, useState } from 'react'
import { change } from '../../app/client.ts'
import { languageOf, timeOf } from '../../app/format.ts'
import { queryClient } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { Ask, say } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Button, Card } from '../../parts/ui.tsx'
import type { AnnouncementTexts } from '@candor/core/protocol/wire/console/announcements.ts'

const day = 86_400_000
/** A moment as its input knows it: `2026-11-27T14:05`, in UTC. */
const inputOf = (at: number): string => new Date(at).toISOString().slice(0, 16)
const momentOf = (text: string): number => Date.parse(`${text}Z`)
const nothing = Object.fromEntries(langs.map((lang) => [lang, { title: '', text: '' }])) as unknown as AnnouncementTexts

export function WriteForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const [texts, setTexts] = useState(nothing)
  const [lang, setLang] = useState<Lang>('en')
  const [from, setFrom] = useState(() => inputOf(Date.now()))
  const [until, setUntil] = useState(() => inputOf(Date.now() + 7 * day))
  const [isAsking, setAsking] = useState(false)
  const id = useId()
  const own = texts[lang]
  const write = (part: Partial<typeof own>): void => setTexts({ ...texts, [lang]: { ...own, ...part } })
  const missing = langs.filter((one) => texts[one].title.trim() === '' || texts[one].text.trim() === '')
  const [begins, ends] = [momentOf(from), momentOf(until)]
  const isTimed = ends > begins && ends > Date.now() && ends - begins <= 366 * day
  const publish = async (): Promise<void> => {
    await change('POST', '/announcements', { texts, from: begins, until: ends })
    await queryClient.invalidateQueries({ queryKey: ['announcements'] })
    say(t.announcements.published)
    onDone()
  }
  return (
    <div className="two">
      <Card title={t.announcements.write}>
        <div className="card-body stack">
          <div className="tabs wrap" role="tablist" aria-label={t.announcements.language}>
            {langs.map((one) => (
              <button key={one} type="button" role="tab" className="tab" aria-selected={one === lang} onClick={() => setLang(one)}>
                {languageOf(one)}
                {!missing.includes(one) && <span aria-hidden="true">✓</span>}
              </button>
            ))}
          </div>
          <TextField
            label={t.announcements.heading}
            lang={lang}
            maxLength={announcementTitleMax}
            value={own.title}
            onText={(title) => write({ title })}
          />
          <div className="field">
            <label htmlFor={id}>{t.announcements.body}</label>
            <textarea
              id={id}
              className="input tall"
              lang={lang}
              maxLength={announcementTextMax}
              value={own.text}
              onChange={({ target }) => write({ text: target.value })}
            />
          </div>
          <div className="line pair">
            <TextField label={t.announcements.from} type="datetime-local" value={from} onText={setFrom} />
            <TextField label={t.announcements.until} type="datetime-local" value={until} onText={setUntil} />
          </div>
          <p className="help">{isTimed ? t.announcements.scheduleHelp : t.announcements.wrongTime}</p>
          <p className="fg2" role="status">
            {missing.length === 0 ? t.announcements.complete : t.announcements.missing(missing.map(languageOf).join(', '))}
          </p>
          <div className="line">
            <Button look="filled" disabled={missing.length > 0 || !isTimed} onClick={() => setAsking(true)}>
              {t.announcements.publish}
            </Button>
            <Button look="quiet" onClick={onDone}>
              {t.common.cancel}
            </Button>
          </div>
        </div>
      </Card>
      <Card title={t.announcements.preview} action={<span className="fg3">{languageOf(lang)}</span>}>
        <div className="card-body">
          <article className="preview" lang={lang}>
            <time className="fg3 tn">{Number.isNaN(begins) ? '' : timeOf(begins)}</time>
            <h3>{own.title}</h3>
            <p className="fg2">{own.text}</p>
          </article>
        </div>
      </Card>
      {isAsking && (
        <Ask
          title={t.announcements.publishTitle}
          text={t.announcements.publishText(timeOf(begins))}
          action={t.announcements.publish}
          onDo={publish}
          onClose={() => setAsking(false)}
        >
          <ul>
            {langs.map((one) => (
              <li key={one} lang={one}>
                {texts[one].title}
              </li>
            ))}
          </ul>
        </Ask>
      )}
    </div>
  )
}

/** Accepts or refuses the application of a firm. */
import type { ConsoleFirmRow } from '@candor/core/protocol/wire/console/firms.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { Ask, say } from '../../parts/dialog.tsx'
import { Button } from '../../parts/ui.tsx'
import { readAgain } from '../terms/queries.ts'

type Verdict = 'accept' | 'refuse'

/** Nothing for those who may not decide, and the reason for members of the staff who take part in the firm. */
export function Decide({ firm }: { readonly firm: ConsoleFirmRow }): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const [asked, setAsked] = useState<Verdict>()
  if (firm.state !== 'applied' || !me?.mayDo.includes('firms.admit')) return null
  if (firm.isOwn) return <span className="fg3">{t.firms.own}</span>
  return (
    <span className="line ends">
      <Button size="small" isDanger aria-label={`${t.firms.refuse}: ${firm.name}`} onClick={() => setAsked('refuse')}>
        {t.firms.refuse}
      </Button>
      <Button size="small" aria-label={`${t.firms.accept}: ${firm.name}`} onClick={() => setAsked('accept')}>
        {t.firms.accept}
      </Button>
      {asked !== undefined && <Question {...{ firm, asked }} onClose={() => setAsked(undefined)} />}
    </span>
  )
}

type QuestionProps = { readonly firm: ConsoleFirmRow; readonly asked: Verdict; readonly onClose: () => void }

function Question({ firm: { number, name }, asked, onClose }: QuestionProps): ReactNode {
  const f = t.firms
  const texts = {
    accept: { title: f.acceptTitle(name), text: f.acceptText, action: f.accept, done: f.accepted },
    refuse: { title: f.refuseTitle(name), text: f.refuseText, action: f.refuse, done: f.refused },
  }[asked]
  const decide = async (reason: string): Promise<void> => {
    try {
      await change('POST', `/firms/${number}/${asked}`, { reason })
      say(texts.done)
    } finally {
      await readAgain()
    }
  }
  return (
    <Ask
      {...{ title: texts.title, text: texts.text, action: texts.action, onClose }}
      isDanger={asked === 'refuse'}
      hasReason
      onDo={decide}
    />
  )
}
